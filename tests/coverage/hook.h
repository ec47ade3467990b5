// SPDX-License-Identifier: Apache-2.0
// Included before a model that counts coverage (tests/coverage/run): each instance leaves its
// counters in $COVERAGE_DIR, those of each module's instances apart.
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "verilated_cov.h"
#ifdef SIM_DUT_HEADER
#include SIM_DUT_HEADER

class covered : public SIM_DUT_CLASS {
public:
	using SIM_DUT_CLASS::SIM_DUT_CLASS;
	~covered()
	{
		static unsigned int number;
		const char *dir = std::getenv("COVERAGE_DIR");

		// A program with very many instances: one in 16 is enough of them.
		if (!dir || (number > 64 && number++ % 16))
			return;
		std::string name = std::string(dir) + "/" + std::to_string(getpid()) + "-" +
				   std::to_string(number) + ".dat";
		contextp()->coveragep()->forcePerInstance(true);
		contextp()->coveragep()->write(name.c_str());
		number++;
	}
};

#undef SIM_DUT_CLASS
#define SIM_DUT_CLASS covered
#endif

// SPDX-License-Identifier: Apache-2.0
// Thin wrapper that lets C drive any Verilated top (see sim_dut.h).  The only C++ file of the
// project.  Built once per model by tests/lib/verilate.mk with
//   SIM_DUT_CLASS    class that Verilator made (V<model>)
//   SIM_DUT_HEADER   its header, quoted
//   SIM_DUT_NAME     <model>, suffix of the exported symbol
//   VM_TRACE         1: FST waves are built in
// and with ports.inc, one SIM_PORT row per port of the top, written by tests/lib/vports.py.

#include "sim_dut.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "verilated.h"
#include SIM_DUT_HEADER
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#define SIM_STR_(x) #x
#define SIM_STR(x) SIM_STR_(x)
#define SIM_CAT_(a, b) a##b
#define SIM_CAT(a, b) SIM_CAT_(a, b)

// What Verilator copies, 100 bytes here and 300 there, is dozens of calls a cycle, and in a program
// under AddressSanitizer each call of memcpy is looked at: a third of the time of most tests.  So
// the model's own calls go to functions of its own; those of the program around it do not.  The
// barriers keep the compiler from making calls of these loops again.
extern "C" {
__attribute__((used)) static void *dut_memcpy(void *to, const void *from, size_t len);
__attribute__((used)) static void *dut_memset(void *to, int byte, size_t len);

static void *dut_memcpy(void *to, const void *from, size_t len)
{
	char *t = static_cast<char *>(to);
	const char *f = static_cast<const char *>(from);

	for (; len >= 32; t += 32, f += 32, len -= 32) {
		__builtin_memcpy(t, f, 32);
		__asm__ volatile("" ::: "memory");
	}
	for (; len >= 4; t += 4, f += 4, len -= 4) {
		__builtin_memcpy(t, f, 4);
		__asm__ volatile("" ::: "memory");
	}
	for (; len; --len) {
		*t++ = *f++;
		__asm__ volatile("" ::: "memory");
	}
	return to;
}

static void *dut_memset(void *to, int byte, size_t len)
{
	char *t = static_cast<char *>(to);
	const uint32_t word = 0x01010101u * static_cast<unsigned char>(byte);

	for (; len >= 4; t += 4, len -= 4) {
		__builtin_memcpy(t, &word, 4);
		__asm__ volatile("" ::: "memory");
	}
	for (; len; --len) {
		*t++ = static_cast<char>(byte);
		__asm__ volatile("" ::: "memory");
	}
	return to;
}
}
__asm__("memcpy = dut_memcpy\n\tmemset = dut_memset");

namespace
{

constexpr unsigned int port_count = 0
#define SIM_PORT(name, member, width, dir) +1
#include "ports.inc"
#undef SIM_PORT
	;

} // namespace

struct sim_dut {
	// A context of its own for each instance: seed, error count and time are not shared.
	VerilatedContext context;
	std::unique_ptr<SIM_DUT_CLASS> model;
	sim_port ports[port_count];
	// $error and $stop raise the context's flag; it is turned into a count after each eval.
	unsigned int errors = 0;
#if VM_TRACE
	std::unique_ptr<VerilatedFstC> trace;
#endif
};

namespace
{

sim_dut *dut_create(const char *instance, uint32_t seed)
{
	std::unique_ptr<sim_dut> dut{ new sim_dut };

	Verilated::threadContextp(&dut->context);
	dut->context.fatalOnError(false);
	// Idle blocks are clocked too: rtl/lib/clk_gate.sv.
	const char *args[] = { instance, "+free_clocks" };

	dut->context.commandArgs(std::getenv("CAIRN_FREE_CLOCKS") ? 2 : 1, args);
	dut->context.randReset(seed ? 2 : 0);
	dut->context.randSeed(static_cast<int>(seed & 0x7fffffff));
#if VM_TRACE
	dut->context.traceEverOn(true);
#endif
	dut->model.reset(new SIM_DUT_CLASS{ &dut->context, instance });

	unsigned int i = 0;
#define SIM_PORT(name_, member, width_, dir_)                                  \
	dut->ports[i].name = name_;                                            \
	dut->ports[i].bits = reinterpret_cast<uint8_t *>(&dut->model->member); \
	dut->ports[i].width = width_;                                          \
	dut->ports[i].bytes = sizeof(dut->model->member);                      \
	dut->ports[i++].dir = dir_;
#include "ports.inc"
#undef SIM_PORT
	return dut.release();
}

void dut_destroy(sim_dut *dut)
{
#if VM_TRACE
	if (dut->trace)
		dut->trace->close();
#endif
	delete dut;
}

const sim_port *dut_port(sim_dut *dut, unsigned int index)
{
	return index < port_count ? &dut->ports[index] : nullptr;
}

const sim_port *dut_find(sim_dut *dut, const char *name)
{
	for (const sim_port &p : dut->ports)
		if (!std::strcmp(p.name, name))
			return &p;
	return nullptr;
}

void collect_errors(sim_dut *dut)
{
	if (!dut->context.gotError())
		return;
	++dut->errors;
	dut->context.gotError(false);
	dut->context.gotFinish(false);
}

void dut_eval(sim_dut *dut)
{
	Verilated::threadContextp(&dut->context);
	dut->model->eval();
	collect_errors(dut);
}

void dut_final(sim_dut *dut)
{
	Verilated::threadContextp(&dut->context);
	dut->model->final();
	collect_errors(dut);
}

unsigned int dut_errors(const sim_dut *dut)
{
	return dut->errors;
}

bool dut_finished(const sim_dut *dut)
{
	return dut->context.gotFinish();
}

#if VM_TRACE
int dut_trace_open(sim_dut *dut, const char *path, int levels)
{
	// One writer for the life of the instance: the model can be attached to it only once.
	if (!dut->trace) {
		dut->trace.reset(new VerilatedFstC);
		dut->model->trace(dut->trace.get(), levels);
	}
	if (dut->trace->isOpen())
		return -EBUSY;
	dut->trace->open(path);
	return dut->trace->isOpen() ? 0 : -EIO;
}

void dut_trace_dump(sim_dut *dut, uint64_t time)
{
	if (dut->trace && dut->trace->isOpen())
		dut->trace->dump(time);
}

void dut_trace_close(sim_dut *dut)
{
	if (dut->trace && dut->trace->isOpen())
		dut->trace->close();
}
#else
int dut_trace_open(sim_dut *, const char *, int)
{
	return -ENOTSUP;
}
void dut_trace_dump(sim_dut *, uint64_t)
{
}
void dut_trace_close(sim_dut *)
{
}
#endif

} // namespace

extern "C" const sim_dut_ops *SIM_CAT(cairn_dut_, SIM_DUT_NAME)(void);

extern "C" const sim_dut_ops *SIM_CAT(cairn_dut_, SIM_DUT_NAME)(void)
{
	static const sim_dut_ops ops = {
		SIM_STR(SIM_DUT_NAME),
		port_count,
		VM_TRACE != 0,
		dut_create,
		dut_destroy,
		dut_port,
		dut_find,
		dut_eval,
		dut_final,
		dut_errors,
		dut_finished,
		dut_trace_open,
		dut_trace_dump,
		dut_trace_close,
	};
	return &ops;
}

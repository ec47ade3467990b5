# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,cpu,test_cpu_cosim,cpu_top,,,tests/unit/cpu/cpu_tb.c))

# SPDX-License-Identifier: Apache-2.0
# The statistics page, filled from a device that is a table.
$(eval $(call c_test,sim_stat,test_sim_stat,sim/sim_stat.c sim/sim_stat_read.c tests/unit/sim_stat/fake_nic.c,-D_GNU_SOURCE -Itests/unit/sim_stat))
# The page of device time.
$(eval $(call c_test,sim_stat,test_sim_time,sim/sim_time.c,-D_GNU_SOURCE))

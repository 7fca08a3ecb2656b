/** Seeds that once led to a fix; they are always played. */
export const seeds: readonly number[] = [
  2, // the start of a queued run was refused
  16, // the removal of a run by retention was refused
  14, // a row was refused while ticks were made up for after a jump of the clock
  1, // half of a reload was refused
  27, // a tick just after a jump counted as missed
  28, // the clock was set back under a service
  46, // the end of a run that waited was refused
  82, // a reload raised max_parallel_runs, and took away a task that waited for it
  106, // a reload lowered max_concurrent under runs that waited for the daemon
  119, // a service ended at once, and its pipes were held
  175, // a service became a task while no daemon was there
  218, // the clock was set back before a restart
];

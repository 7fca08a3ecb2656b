/** Seeds that once led to a fix; they are always played. */
export const seeds: readonly number[] = [
  3, // the removal of a run by retention was refused
  7, // the start of a service was refused
  11, // a reload raised max_parallel_runs, and took away a task that waited; another was refused half-way
  12, // the clock was moved under a service
  21, // a tick just after a jump counted as missed
  45, // the end of a run that waited was refused
  56, // waiting runs were taken up in another order than they had come in
  58, // a reload started an instance that was stopped, beside one that was fatal
  65, // the start of a queued run was refused
  123, // a row was refused while ticks were made up for after a jump of the clock
  135, // a pause was refused
  237, // a stop was refused, and with it the end of a chain of retries
  318, // the mark of a tick was refused, and the clock jumped
];

/** Seeds that once led to a fix; they are always played. */
export const seeds: readonly number[] = [
  4, // an instance of a closed service was stopped by its run
  8, // a reload was refused, and half of it was in force
  11, // the database refused in a timer, and that ended the daemon
  12, // a clock that was far ahead was set right, and schedules kept quiet
  14, // a retry with an earlier tick overtook a run of its task in the daemon's line
  19, // ticks were made up for that lay behind the mark
  25, // runs executed beside more others than the daemon's limit lets
  29, // a pause was refused, and the task said that it was paused
  59, // the start of a service was refused
  61, // a run started by the definition that its task had before a reload
  63, // a tick just after a jump of the clock counted as missed
  66, // a run was made of a task that a refused reload would have taken away
  138, // a refused write made a retry start out of turn
  139, // a schedule that came back had forgotten its mark
  196, // the start of a run was refused, and it waited for ever
  200, // the clock was moved under a service, and its life counted as long
  238, // the same, and it counted as short
  256, // a reload started an instance that was done, beside one that was fatal
  258, // a stop was refused half-way, and a run that it should have ended started
  296, // a service was stopped while the end of its life was not stored yet, and a process started for a moment
  303, // what waited when a daemon died started all at once with the next
  316, // the commit of a run's end was refused, and its retry was made twice
  472, // two restarts before the end of a life was stored made two lives
  757, // a reload forgot where a schedule went on that a wrong clock had taken far ahead
  3581, // a service that a reload took away ended during the daemon's stop, and the stop failed
  3623, // a retry stood for a tick, after a clock that was far ahead was set right
  3889, // many runs were stopped, and one of them started in the place of another
  // The daemon was right in these, and the model knew too little.
  50656, // a tick was refused before a standstill, and missed behind it
  50921, // a sleep made a retry due while slow writes went on
  60866, // a bounce waited for a process that nobody heard of
  62491, // a standstill held up a start that was refused
  62889, // a bounce waited for a process that can't be ended
  63143, // a refusal before a standstill was taken for a reason to be sure
  64265, // a reload between two standstills looked at the clock
  64488, // the same refusal, with another schedule
  65091, // the same, where nothing is made up for
  66637, // the machine slept before the end of a run was refused
];

/** The same where runs outlive the daemon. */
export const keptSeeds: readonly number[] = [
  34, // a handover ended an instance that could outlive the daemon, beside one that could not
  47, // a run was killed that nobody had asked to end: the daemon had died between writing that down and doing it
  77, // the same, and its stop was one that the new files asked for
  84, // the same of a task
  337, // a timeout stood still while a start cleared up
  436, // a reload started a service that a daemon had stopped, and that nothing starts by itself
  // The daemon was right in these, and the model knew too little.
  5, // what nobody had taken over was ended, and the daemon died before its row said so
  12, // a timeout was over before the start was
  32, // a daemon stopped at the very moment at which it had started, and a timeout was due
  52, // what a daemon could not end starts anew with the next, whatever is written down
  199, // a row that waited was dropped when the start had waited for what it was not told
  275, // a timeout and a new definition were due at one moment
  283, // a reload bounced an instance while the end of another was not known
  438, // what could not be started, and whose end was refused, was handed over
  460, // a start died that was about to end what it had not found
  602, // what was missed by a clock that was ahead was made up for when it had been set right
  666, // an instance that had ended meanwhile was bounced for its new definition
];

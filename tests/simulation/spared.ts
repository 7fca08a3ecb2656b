/** What the engine is spared, each with its reason: set to false once the engine copes. */
export const spared = {
  /** A write that belongs to a service's run is never refused: its start does not cope yet. */
  refusalsOfServices: false,
  /** Nor is one of the bell. */
  refusalsOfNotices: false,
  /** Nor is the write that a run starts: where the line is moved by an end, the refusal ends the daemon. */
  refusalsAtStart: false,
  /** Nor is the removal of a run by retention: the refusal ends the daemon. */
  refusalsOfRetention: false,
  /** Nor is what a reload stores: half of it would be in force. */
  refusalsOfReloads: false,
  /** Nor is the end of a run that waits: others would be lost with it. */
  refusalsOfDrops: false,
  /** Nor is what a pause or a resume stores. */
  refusalsOfPauses: false,
  /** Ticks just after a jump count as missed. */
  missedAfterJumps: false,
  /** A refusal makes a scheduler forget that the clock has jumped. */
  jumpsForgotten: false,
  /** A reload lets the daemon's line move before it applies the units. */
  lineMovesFirst: false,
  /** The count of missed ticks is capped before the runs are taken off. */
  countNearTheCap: false,
  /** A reload starts all instances where one is fatal and none is up, those too that were stopped. */
  stoppedBesideFatal: false,
  /** Runs that wait in the daemon's line keep their places when `max_concurrent` is lowered. */
  placesOfFormerLimit: false,
  /** An instance that a reload takes away may still be ending when the next reload brings it back. */
  instancesThatLeave: false,
  /** A unit may change its kind while no daemon is there. */
  kindsWhileDown: false,
  /** Waiting runs are taken up in the order of their ticks by the next daemon. */
  resumedByTick: false,
  /** How long an instance was up is measured by the wall clock. */
  wallClockOfLives: false,
};

/** What the engine is spared, each with its reason: set to false once the engine copes. */
export const spared = {
  /** A write that belongs to a service's run is never refused: its start does not cope yet. */
  refusalsOfServices: true,
  /** Nor is one of the bell. */
  refusalsOfNotices: true,
  /** Nor is the write that a run starts: where the line is moved by an end, the refusal ends the daemon. */
  refusalsAtStart: true,
  /** Nor is the removal of a run by retention: the refusal ends the daemon. */
  refusalsOfRetention: true,
  /** Nor is what a reload stores: half of it would be in force. */
  refusalsOfReloads: true,
  /** Nor is the end of a run that waits: others would be lost with it. */
  refusalsOfDrops: true,
  /** Nor is what a pause or a resume stores. */
  refusalsOfPauses: true,
  /** Ticks just after a jump count as missed. */
  missedAfterJumps: true,
  /** A refusal makes a scheduler forget that the clock has jumped. */
  jumpsForgotten: true,
  /** A reload lets the daemon's line move before it applies the units. */
  lineMovesFirst: true,
  /** The count of missed ticks is capped before the runs are taken off. */
  countNearTheCap: true,
  /** A reload starts all instances where one is fatal and none is up, those too that were stopped. */
  stoppedBesideFatal: true,
  /** Runs that wait in the daemon's line keep their places when `max_concurrent` is lowered. */
  placesOfFormerLimit: true,
  /** An instance that a reload takes away may still be ending when the next reload brings it back. */
  instancesThatLeave: false,
  /** A unit may change its kind while no daemon is there. */
  kindsWhileDown: true,
  /** Waiting runs are taken up in the order of their ticks by the next daemon. */
  resumedByTick: true,
  /** How long an instance was up is measured by the wall clock. */
  wallClockOfLives: true,
};

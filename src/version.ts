/** The version of this program. */
export const version = "0.1.0";

/** The state of the source that it was built from; compile.sh puts it in. */
export const commit = "source";

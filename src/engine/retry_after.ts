/** After the database refused, it is tried again after this many ms. */
export const retryAfter = 1_000;

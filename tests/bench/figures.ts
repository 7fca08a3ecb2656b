/** One line of a benchmark's table. */
export interface Figure {
  figure: string;
  value: number;
  unit: string;
  /** What is to be reached, in words. */
  target?: string;
  pass?: boolean;
}

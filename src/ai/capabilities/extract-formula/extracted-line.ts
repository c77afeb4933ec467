/** One line as the model extracted it. */
export interface RawLine {
  readonly inciName: string;
  readonly chineseName: string;
  readonly percentage: number | null;
  readonly phase: string;
  readonly processNotes: string;
  /** The amount as the text gives it, where it is not a plain percentage: "1-3", "q.s.", 12.5 with unit g. */
  readonly amount?: number | string | null;
  readonly unit?: string | null;
  /** The line takes whatever is missing to the total. */
  readonly balance?: boolean | null;
}

/** One line as the interface answers it. */
export interface ExtractedLine {
  inciName: string;
  chineseName: string;
  /** Percent by weight; 0 where the text gives no number. */
  percentage: number;
  phase: string;
  processNotes: string;
}

/** A declared value that Azure may have moved, as the declared body allows. */
export class MovedValue {
  readonly declared: unknown;
  readonly isMoved: (live: unknown) => boolean;

  constructor(declared: unknown, isMoved: (live: unknown) => boolean) {
    this.declared = declared;
    this.isMoved = isMoved;
  }
}

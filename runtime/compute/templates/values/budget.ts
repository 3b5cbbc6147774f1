import { templateLimits } from '../limits.ts';
import { type Position, TemplateStop } from '../problems.ts';

/** Steps and characters that one expansion may use. Both are amounts of work, so that the result does not depend on time. */
export class Budget {
  /** Where the evaluation is, for the problem that ends it. */
  position: Position | undefined;
  #steps: number;
  #levels = 0;
  #characters: number;

  constructor(steps: number = templateLimits.steps, characters: number = templateLimits.producedCharacters) {
    this.#steps = steps;
    this.#characters = characters;
  }

  /** Uses steps; throws TemplateStop when none are left. */
  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) this.#stop('takes more steps');
  }

  /** Uses characters, before they are produced; throws TemplateStop when none are left. */
  produce(characters: number): void {
    this.#characters -= characters;
    if (this.#characters < 0) this.#stop('produces more text');
  }

  /** Uses steps for a search, whose time can grow with the product of both lengths. */
  search(length: number, wanted: number): void {
    this.step(1 + Math.ceil((length * Math.max(1, wanted)) / 1000));
  }

  /** Evaluates a part; throws TemplateStop when it is inside too many others, before the stack ends. */
  nested<T>(evaluate: () => T): T {
    if (++this.#levels > templateLimits.nesting) {
      const message = `Values need each other more than ${templateLimits.nesting} levels deep: shorten the chain`;
      throw new TemplateStop(message, this.position, 'Limit');
    }
    try {
      return evaluate();
    } finally {
      this.#levels--;
    }
  }

  #stop(what: string): never {
    const hint = 'look for copy loops and functions that multiply text, or split the template';
    throw new TemplateStop(`The template ${what} than one template may: ${hint}`, this.position);
  }
}

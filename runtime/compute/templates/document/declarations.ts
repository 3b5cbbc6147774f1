import type { JsonNode } from '../json/json-node.ts';
import { AlreadyReported, type Problems, quoted, TemplateError } from '../problems.ts';
import type { TemplateValue } from '../values/value.ts';

/** Named values of a template that can need each other. Each is evaluated once; one with a problem is reported once. */
export class Declarations {
  readonly #kind: string;
  readonly #nodes = new Map<string, readonly [name: string, node: JsonNode]>();
  readonly #problems: Problems;
  readonly #compute: (name: string, node: JsonNode) => TemplateValue;
  readonly #values = new Map<string, TemplateValue>();
  readonly #failed = new Set<string>();
  /** In the order of their needs. */
  readonly #running: string[] = [];

  constructor(
    kind: string,
    nodes: ReadonlyMap<string, JsonNode>,
    problems: Problems,
    compute: (name: string, node: JsonNode) => TemplateValue,
  ) {
    this.#kind = kind;
    this.#problems = problems;
    this.#compute = compute;
    for (const [name, node] of nodes) {
      const key = name.toLowerCase();
      if (this.#nodes.has(key)) {
        problems.add(
          'Structure',
          node,
          `The ${kind} ${quoted(name)} is defined twice, as case does not matter: remove one`,
        );
      }
      this.#nodes.set(key, [name, node]);
    }
  }

  /** The value. Throws TemplateError for an unknown name, AlreadyReported for one whose problem is reported. */
  get(name: string): TemplateValue {
    const key = name.toLowerCase();
    const value = this.#values.get(key);
    if (value !== undefined) return value;
    if (this.#failed.has(key)) throw new AlreadyReported();
    const [declared, node] = this.#nodes.get(key) ?? [];
    if (declared === undefined || node === undefined) {
      throw new TemplateError(
        'Evaluation',
        `The template ${this.#kind} ${quoted(name)} is not found: define it, or correct its name`,
        { near: [name, [...this.#nodes.values()].map(([each]) => each)] },
      );
    }
    if (this.#running.includes(key)) {
      const chain = [...this.#running.slice(this.#running.indexOf(key)), key].map((each) => quoted(each)).join(' -> ');
      throw new TemplateError(
        'Cycle',
        `The template ${this.#kind}s need each other in a circle: ${chain.slice(0, 1000)}`,
      );
    }
    this.#running.push(key);
    try {
      const made = this.#compute(declared, node);
      this.#values.set(key, made);
      return made;
    } catch (error) {
      this.#failed.add(key);
      this.#problems.addError(error, node);
      throw new AlreadyReported();
    } finally {
      this.#running.pop();
    }
  }

  /** Evaluates all, so that each problem is reported whether or not anything needs the value. */
  checkAll(): void {
    for (const [name] of this.#nodes.values()) {
      try {
        this.get(name);
      } catch (error) {
        if (!(error instanceof AlreadyReported)) throw error;
      }
    }
  }
}

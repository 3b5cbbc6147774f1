import { isObject, type JsonObject } from '../../../base/json.ts';
import { isTemplateObject, type TemplateValue } from './value.ts';

/** A member of an answer, by the names that lead to it. */
interface AnswerPlace {
  readonly id: string;
  readonly path: readonly string[];
}

/** Bodies of resources by ARM id. */
type Bodies = Readonly<Record<string, { readonly resource?: unknown }>>;

/** The parts of Azure's answers that one expansion reads. */
export class AnswerReads {
  readonly #places = new WeakMap<object, AnswerPlace>();
  /** Paths by ARM id in lower case; each path as JSON. */
  readonly #read = new Map<string, Map<string, readonly string[]>>();

  /** An answer was imported as this value. */
  imported(id: string, body: TemplateValue): void {
    this.#keep({ id: id.toLowerCase(), path: [] }, body);
  }

  /** An expression takes a member of a value. */
  read(value: TemplateValue, name: string, member: TemplateValue): void {
    const place = isTemplateObject(value) ? this.#places.get(value) : undefined;
    if (place) this.#keep({ id: place.id, path: [...place.path, name] }, member);
  }

  /** The parts that were read. Of an object whose members were read, only those: more may be used than this. */
  members(answers: Bodies): Bodies {
    return this.#parts(answers, (paths) => {
      const parents = new Set(paths.map((path) => JSON.stringify(path.slice(0, -1))));
      return paths.filter((path) => !parents.has(JSON.stringify(path)));
    });
  }

  /** The parts that were read, and every object whole of which members were read. */
  whole(answers: Bodies): Bodies {
    return this.#parts(answers, (paths) => paths);
  }

  #parts(answers: Bodies, keptOf: (paths: readonly (readonly string[])[]) => readonly (readonly string[])[]): Bodies {
    const kept: Record<string, Bodies[string]> = {};
    for (const [id, { resource }] of Object.entries(answers)) {
      const read = this.#read.get(id.toLowerCase());
      if (!read) continue;
      kept[id] = {
        resource: keptOf([...read.values()]).reduce((part, path) => withPath(part, resource, path), {} as unknown),
      };
    }
    return kept;
  }

  #keep({ id, path }: AnswerPlace, value: TemplateValue): void {
    if (isTemplateObject(value)) this.#places.set(value, { id, path });
    const paths = this.#read.get(id) ?? new Map<string, readonly string[]>();
    this.#read.set(id, paths);
    if (path.length > 0) paths.set(JSON.stringify(path), path);
  }
}

/** `part` with what `whole` has at a path. */
function withPath(part: unknown, whole: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return whole;
  const own: JsonObject = isObject(part) ? part : {};
  if (!isObject(whole) || !Object.hasOwn(whole, name)) return own;
  return { ...own, [name]: withPath(own[name], whole[name], rest) };
}

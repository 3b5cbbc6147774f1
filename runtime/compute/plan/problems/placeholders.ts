import { isObject } from '../../../base/json.ts';
import type { PlanProblem } from '../change.ts';

/** A text that is a placeholder of documentation, or has one as a segment of a path: `<subscription-id>`. */
const placeholder = /(?:^|[/=])(<[A-Za-z][\w .-]{0,60}>)(?:$|[/?&])/;
/** Problems of one document. */
const most = 20;

/** The placeholders of documentation that somebody left in a document. `path`: where the document stands. */
export function placeholderProblems(document: unknown, path: string): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const open: { readonly value: unknown; readonly at: string }[] = [{ value: document, at: path }];
  for (let next = open.pop(); next && problems.length < most; next = open.pop()) {
    const { value, at } = next;
    if (typeof value === 'string') {
      const found = value.length <= 4096 ? placeholder.exec(value)?.[1] : undefined;
      if (found !== undefined)
        problems.push({ path: at, message: `${found} is a placeholder: write the value in its place` });
    } else if (Array.isArray(value)) {
      for (const [index, item] of [...value.entries()].reverse()) open.push({ value: item, at: `${at}[${index}]` });
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value).reverse()) open.push({ value: member, at: `${at}.${name}` });
    }
  }
  return problems;
}

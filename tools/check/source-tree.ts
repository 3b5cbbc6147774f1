import { parse } from '@babel/parser';
import type { File, Node } from '@babel/types';

/** The syntax tree of a TypeScript source. @throws SyntaxError naming `file`, line and column */
export function parseSource(file: string, text: string): File {
  try {
    return parse(text, { sourceType: 'module', plugins: ['typescript', 'explicitResourceManagement'] });
  } catch (cause) {
    throw new SyntaxError(`${file}: ${(cause as Error).message}`, { cause });
  }
}

/** The nodes directly below a node, in order of the source. */
export function childrenOf(node: Node): Node[] {
  const members = Object.entries(node).filter(
    ([name]) => !/^(loc|errors|tokens|comments|\w+Comments|extra)$/.test(name),
  );
  return members.flatMap(([, member]) => (Array.isArray(member) ? member : [member])).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

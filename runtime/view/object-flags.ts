import { expected } from '../base/errors.ts';
import type { Flag } from '../base/program.ts';
import { named } from '../base/settings.ts';

const name = /^!?[A-Za-z0-9][-A-Za-z0-9_./]{0,316}$/;
const value = /^[-A-Za-z0-9_.]{0,63}$/;

/** Whether a text is a requirement of a label selector: `name`, `!name`, `name=value`, `name in (value, value)`. */
function isRequirement(text: string): boolean {
  const [label = '', operator, ...values] = text.split(/(!=|==?| in \(| notin \()/).map((part) => part.trim());
  if (operator === undefined) return name.test(label);
  const isSet = operator.endsWith('(');
  const given = values.join('');
  if (label.startsWith('!') || !name.test(label) || isSet !== given.endsWith(')')) return false;
  return (isSet ? given.slice(0, -1).split(',') : [given]).every((each) => value.test(each.trim()));
}

/** The requirements of a selector: commas within parentheses belong to one of them. */
function requirementsOf(selector: string): string[] {
  const parts: string[] = [];
  for (const part of selector.split(',')) {
    const last = parts.at(-1);
    if (last?.includes('(') && !last.includes(')')) parts[parts.length - 1] = `${last},${part}`;
    else parts.push(part.trim());
  }
  return parts;
}

/** A selection by labels as kubectl takes it; undefined for every object. */
export const selectorFlag = {
  flag: 'selector',
  short: 'l',
  value: 'LABELS',
  default: '',
  meaning: 'labels of the objects to read, such as app=shop,tier!=test; all objects when empty',
  parse(setting, text): string | undefined {
    const selector = text(setting).trim();
    if (selector === '' || requirementsOf(selector).every(isRequirement)) return selector || undefined;
    throw expected(named(setting), 'labels such as app=shop,tier!=test or "tier in (web, db)"', selector);
  },
} as const satisfies Flag;

/** The namespace that a command reads; undefined for that of the kubeconfig. */
export const namespaceFlag = {
  flag: 'namespace',
  short: 'n',
  value: 'NAME',
  default: '',
  meaning: 'namespace to read; that of the kubeconfig when empty',
  parse(setting, text): string | undefined {
    const namespace = text(setting);
    if (/^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/.test(namespace)) return namespace || undefined;
    throw expected(named(setting), 'the name of a namespace', namespace);
  },
} as const satisfies Flag;

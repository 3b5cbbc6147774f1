import { expected } from '../base/errors.ts';
import type { Flag } from '../base/program.ts';
import { named } from '../base/settings.ts';

/** The namespace that a command reads; undefined for that of the kubeconfig. */
export const namespaceFlag = {
  flag: 'namespace',
  short: 'n',
  value: 'NAME',
  default: '',
  meaning: 'namespace to read; that of the kubeconfig when empty',
  parse(setting, text): string | undefined {
    const name = text(setting);
    if (/^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/.test(name)) return name || undefined;
    throw expected(named(setting), 'the name of a namespace', name);
  },
} as const satisfies Flag;

import type { Construct } from 'constructs';
import type { ArmKind } from '../../runtime/api/types.ts';
import { type ExportDestinationProps, ExportedConfigValue, ExportedSecretValue } from './exported-value.ts';
import type { ResourceOf } from './typed-spec.ts';
import { checkReaders } from './unwritten-values.ts';

interface Written {
  readonly name: string;
  readonly key: string;
}
type Destinations = Record<string, Written>;
type OperatorSpec = Record<string, unknown> & { secrets?: Destinations; configMaps?: Destinations };

/** The values of one resource that the app reads, and where the operator writes them. */
export class Exports {
  readonly #construct: Construct & ResourceOf;
  readonly #arm: ArmKind | undefined;
  readonly #declared: OperatorSpec;
  readonly #secrets: Destinations = {};
  readonly #configMaps: Destinations = {};
  readonly #problems: string[] = [];

  /** @param declared `spec.operatorSpec` as the app gave it; its destinations stay */
  constructor(construct: Construct & ResourceOf, arm: ArmKind | undefined, declared: unknown) {
    this.#construct = construct;
    this.#arm = arm;
    this.#declared = (declared ?? {}) as OperatorSpec;
  }

  /** The problems of the requested exports. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** `spec.operatorSpec` with all that is read; undefined when nothing is. */
  get operatorSpec(): object | undefined {
    const { secrets, configMaps, ...others } = this.#declared;
    const all = {
      ...others,
      ...merged('secrets', this.#secrets, secrets),
      ...merged('configMaps', this.#configMaps, configMaps),
    };
    return Object.keys(all).length > 0 ? all : undefined;
  }

  /** Declares the export. A value that is no secret goes into a ConfigMap. */
  declare(value: string, props: ExportDestinationProps): ExportedSecretValue | ExportedConfigValue {
    const { secrets = [], configMaps = [] } = this.#arm?.operatorSpec ?? {};
    const construct = this.#construct;
    const isConfig = configMaps.includes(value);
    if (!isConfig && !secrets.includes(value)) {
      const known = [...new Set([...secrets, ...configMaps])].sort().join(', ');
      this.#problems.push(
        `Nobody writes \`${value}\`: the operator exports ${known || 'no value'} for the kind ${construct.kind}`,
      );
    }
    const given = this.#declared[isConfig ? 'configMaps' : 'secrets']?.[value];
    const taken = isConfig ? this.#configMaps : this.#secrets;
    const before = given ?? taken[value];
    const name = props.name ?? before?.name ?? `${construct.name}-${construct.kind.toLowerCase()}`;
    const key = props.key ?? before?.key ?? value;
    if (before && (before.name !== name || before.key !== key)) {
      this.#problems.push(
        `\`${value}\` is exported to ${before.name}, key ${before.key}, and to ${name}, key ${key}: use one destination`,
      );
    }
    taken[value] ??= { name, key };
    checkReaders(construct);
    const destination = { name, key, namespace: construct.namespace, path: construct.node.path };
    return isConfig ? new ExportedConfigValue(construct, destination) : new ExportedSecretValue(construct, destination);
  }
}

const merged = (member: string, read: Destinations, declared: Destinations | undefined) =>
  declared || Object.keys(read).length > 0 ? { [member]: { ...read, ...declared } } : {};

import { ConfigMap, EnvValue, type IConfigMap, type ISecret, Secret, Volume } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';

/** Where an exported value is written. */
export interface ExportDestinationProps {
  /**
   * The Secret or ConfigMap.
   *
   * @default `<name of the object>-<kind in lower case>`
   */
  readonly name?: string;

  /**
   * The key within it.
   *
   * @default the name of the value
   */
  readonly key?: string;
}

interface Destination {
  readonly name: string;
  readonly key: string;
  readonly namespace: string | undefined;
  /** Path of the construct that exports it. */
  readonly path: string;
}

class ExportedValue implements Destination {
  readonly name: string;
  readonly key: string;
  readonly namespace: string | undefined;
  readonly path: string;
  /** Where constructs for the Secret or ConfigMap are made. */
  protected readonly scope: Construct;

  constructor(scope: Construct, destination: Destination) {
    this.scope = scope;
    this.name = destination.name;
    this.key = destination.key;
    this.namespace = destination.namespace;
    this.path = destination.path;
  }
}

/** A value that the operator writes into a Secret. Takes the place of a reference to a key of a Secret in a spec. */
export class ExportedSecretValue extends ExportedValue {
  #secret: ISecret | undefined;

  /** The Secret, for everything of cdk8s-plus that takes one. */
  get secret(): ISecret {
    const id = `Secret-${this.name}-${this.key}`;
    this.#secret ??=
      (this.scope.node.tryFindChild(id) as ISecret | undefined) ?? Secret.fromSecretName(this.scope, id, this.name);
    return this.#secret;
  }

  /** The value as an environment variable of a container. */
  get envValue(): EnvValue {
    return EnvValue.fromSecretValue({ secret: this.secret, key: this.key });
  }

  /**
   * The value as a volume with one file.
   *
   * @param id also the name of the volume, in lower case
   * @param file name of the file; the key when absent
   */
  volume(scope: Construct, id: string, file: string = this.key): Volume {
    return Volume.fromSecret(scope, id, this.secret, { name: id.toLowerCase(), items: { [this.key]: { path: file } } });
  }
}

/** A value that the operator writes into a ConfigMap. Takes the place of a `…FromConfig` reference in a spec. */
export class ExportedConfigValue extends ExportedValue {
  #configMap: IConfigMap | undefined;

  /** The ConfigMap, for everything of cdk8s-plus that takes one. */
  get configMap(): IConfigMap {
    const id = `ConfigMap-${this.name}-${this.key}`;
    this.#configMap ??=
      (this.scope.node.tryFindChild(id) as IConfigMap | undefined) ??
      ConfigMap.fromConfigMapName(this.scope, id, this.name);
    return this.#configMap;
  }

  /** The value as an environment variable of a container. */
  get envValue(): EnvValue {
    return EnvValue.fromConfigMap(this.configMap, this.key);
  }

  /**
   * The value as a volume with one file.
   *
   * @param id also the name of the volume, in lower case
   * @param file name of the file; the key when absent
   */
  volume(scope: Construct, id: string, file: string = this.key): Volume {
    return Volume.fromConfigMap(scope, id, this.configMap, {
      name: id.toLowerCase(),
      items: { [this.key]: { path: file } },
    });
  }
}

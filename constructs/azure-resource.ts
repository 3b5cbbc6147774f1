import { ApiObject, Chart, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { defaultNameProblem } from '../runtime/api/arm/name-rules.ts';
import { kindOf } from '../runtime/api/kinds.ts';
import { storedVersion } from '../runtime/api/preferred-version.ts';
import type { ArmKind, KindDefinition } from '../runtime/api/types.ts';
import { validate } from '../runtime/api/validate.ts';
import { checkName } from './private/unique-names.ts';
import type { ExportDestinationProps, ExportedConfigValue, ExportedSecretValue } from './resources/exported-value.ts';
import { Exports } from './resources/exports.ts';
import { plainSpec } from './resources/plain-spec.ts';
import type { AzureSpecs, ConfigMapExports, ResourceOf, SecretExports, TypedSpec } from './resources/typed-spec.ts';

/** Name, namespace and the rest of the metadata of an object. */
export interface ResourceMetadata {
  /**
   * Name of the object.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * Its namespace.
   *
   * @default that of the chart
   */
  readonly namespace?: string;

  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Properties of the class of one kind, such as `StorageAccount`. */
export interface KindProps<Kind extends keyof AzureSpecs> {
  /**
   * The served version to write the object under.
   *
   * @default the stored one, which is the newest
   */
  readonly version?: string;

  /** @default the construct's id in lower case, in the namespace of the chart */
  readonly metadata?: ResourceMetadata;

  /** The desired state, in the type of the kind. A reference takes a construct, or `{ armId }`. */
  readonly spec: TypedSpec<AzureSpecs[Kind]>;
}

/** Properties of `AzureResource`. */
export interface AzureResourceProps<Kind extends keyof AzureSpecs> extends KindProps<Kind> {
  /** Group and kind, such as `storage.azure.com/StorageAccount`. */
  readonly kind: Kind;
}

/**
 * A resource of Azure as an object for the operator. The compiler checks the spec against the kind; the schema of the
 * CRD checks rules that types cannot express, such as lengths and patterns. Each kind also has a class of its own, such
 * as `StorageAccount`.
 */
export class AzureResource<Kind extends keyof AzureSpecs> extends Construct implements ResourceOf<Kind> {
  /** Group and kind, such as `storage.azure.com/StorageAccount`. */
  readonly resourceType: Kind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly group: string;
  readonly kind: string;
  readonly #props: AzureResourceProps<Kind>;
  readonly #definition: KindDefinition;
  readonly #exports: Exports;

  constructor(scope: Construct, id: string, props: AzureResourceProps<Kind>) {
    super(scope, id);
    const [group = '', kind = ''] = props.kind.split('/');
    this.#props = props;
    this.#definition = kindOf(group, kind);
    this.resourceType = props.kind;
    this.group = group;
    this.kind = kind;
    this.name = props.metadata?.name ?? id.toLowerCase();
    this.namespace = props.metadata?.namespace ?? Chart.of(this).namespace;
    const { operatorSpec } = props.spec as { readonly operatorSpec?: unknown };
    this.#exports = new Exports(this, this.#arm, operatorSpec);
    const { spec: _, ...head } = this.#manifest([]);
    // Exports are declared after the constructor, by constructs that read them.
    new ApiObject(this, 'Resource', { ...head, spec: Lazy.any({ produce: () => this.#manifest([]).spec }) });
    checkName(this, '`metadata.name`, which is the id in lower case by default,');
    this.node.addValidation({ validate: () => this.#problems() });
  }

  /** The desired state as the app gave it: without the exports of `export()`. */
  get spec(): TypedSpec<AzureSpecs[Kind]> {
    return this.#props.spec;
  }

  /** The reference to this object in a field of another one. */
  get reference(): { readonly group: string; readonly kind: string; readonly name: string } {
    return { group: this.group, kind: this.kind, name: this.name };
  }

  /**
   * A value that Azure gives to the resource, for pods and for specs of other resources. The operator writes it because
   * it is read: this declares the export in `spec.operatorSpec`. A value that is no secret goes into a ConfigMap.
   */
  export(value: ConfigMapExports<Kind>, to?: ExportDestinationProps): ExportedConfigValue;
  export(value: Exclude<SecretExports<Kind>, ConfigMapExports<Kind>>, to?: ExportDestinationProps): ExportedSecretValue;
  export(value: string, to: ExportDestinationProps = {}): ExportedConfigValue | ExportedSecretValue {
    return this.#exports.declare(value, to);
  }

  get #arm(): ArmKind | undefined {
    return this.#definition.arm;
  }

  #manifest(problems: string[]) {
    const { version, metadata, spec } = this.#props;
    const { operatorSpec: _, ...plain } = plainSpec(
      spec as object,
      { namespace: this.namespace, arm: this.#arm },
      problems,
    );
    const { operatorSpec } = this.#exports;
    return {
      apiVersion: `${this.group}/${version ?? storedVersion(this.#definition)}`,
      kind: this.kind,
      metadata: {
        ...metadata,
        name: this.name,
        ...(this.namespace !== undefined && { namespace: this.namespace }),
      },
      spec: { ...plain, ...(operatorSpec && { operatorSpec }) },
    };
  }

  #problems(): string[] {
    const problems: string[] = [];
    const manifest = this.#manifest(problems);
    return [
      ...this.#exports.problems,
      ...problems,
      ...validate(this.#definition, manifest).map(({ message }) => message),
      ...[defaultNameProblem(this.#definition, manifest)].flatMap((each) => each?.message ?? []),
    ];
  }
}

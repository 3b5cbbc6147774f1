import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { ArmResourceSpec } from '../runtime/api/arm-resource.ts';
import type { ArmSpecs } from '../runtime/api/generated/specs.ts';
import { kindOf, storedVersion } from '../runtime/api/kinds.ts';
import { validate } from '../runtime/api/validate.ts';

/** The spec of every kind that the operator serves, by group and kind. */
export type AzureSpecs = ArmSpecs & { readonly 'azimuth.dev/ArmResource': ArmResourceSpec };

/** Properties of `AzureResource`. */
export interface AzureResourceProps<Kind extends keyof AzureSpecs> {
  /** Group and kind, such as `storage.azure.com/StorageAccount`. */
  readonly kind: Kind;

  /**
   * The served version to write the object under.
   *
   * @default the stored one, which is the newest
   */
  readonly version?: string;

  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };

  /** The desired state, in the type of the kind. */
  readonly spec: AzureSpecs[Kind];
}

/**
 * A resource of Azure as an object for the operator. The compiler checks the spec against the kind; the schema of the
 * CRD checks what types cannot express, such as lengths and patterns.
 */
export class AzureResource<Kind extends keyof AzureSpecs> extends Construct {
  readonly name: string;
  readonly namespace: string;
  readonly group: string;
  readonly kind: string;

  constructor(scope: Construct, id: string, props: AzureResourceProps<Kind>) {
    super(scope, id);
    const [group = '', kind = ''] = props.kind.split('/');
    const definition = kindOf(group, kind);
    this.group = group;
    this.kind = kind;
    this.name = props.metadata.name;
    this.namespace = props.metadata.namespace;
    const manifest = {
      apiVersion: `${group}/${props.version ?? storedVersion(definition)}`,
      kind,
      metadata: { ...props.metadata },
      spec: props.spec,
    };
    new ApiObject(this, 'Resource', manifest);
    this.node.addValidation({ validate: () => validate(definition, manifest).map(({ message }) => message) });
  }

  /** The reference to this object in a field of another one. */
  get reference(): { readonly group: string; readonly kind: string; readonly name: string } {
    return { group: this.group, kind: this.kind, name: this.name };
  }
}

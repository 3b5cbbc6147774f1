import type { ArmResourceSpec } from '../../runtime/api/arm/arm-resource.ts';
import type { referencedKind } from '../../runtime/api/common-schemas.ts';
import type { ArmSpecs } from '../../runtime/api/generated/specs.ts';

/** The spec of every kind that the operator serves, by group and kind. */
export type AzureSpecs = ArmSpecs & { readonly 'azimuth.dev/ArmResource': ArmResourceSpec };

/** A construct of one of the kinds `Kind`, as a reference of another resource takes it. */
export interface ResourceOf<Kind extends string = string> {
  /** Group and kind, such as `storage.azure.com/StorageAccount`. */
  readonly resourceType: Kind;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined when the app leaves the namespace to `kubectl apply`. */
  readonly namespace: string | undefined;
}

/** A reference of the schema, or a construct of a kind that the field takes. */
type ReferenceOf<T> = T extends { readonly [referencedKind]?: infer Kind }
  ? (T & { readonly resourceType?: never }) | ResourceOf<Extract<Kind, string>>
  : never;

/** A spec in which each reference may be a construct. A construct of a kind that the field does not take is an error. */
export type TypedSpec<T> = T extends string | number | boolean | undefined | null
  ? T
  : typeof referencedKind extends keyof T
    ? ReferenceOf<T>
    : T extends readonly (infer Item)[]
      ? readonly TypedSpec<Item>[]
      : T extends object
        ? { [Member in keyof T]: TypedSpec<T[Member]> }
        : T;

type OperatorSpecOf<Kind extends keyof AzureSpecs> = NonNullable<AzureSpecs[Kind]['operatorSpec']>;
type NamesIn<Spec, Member extends string> = Spec extends { [name in Member]?: infer Named }
  ? NonNullable<Named> extends readonly unknown[]
    ? never
    : Extract<keyof NonNullable<Named>, string>
  : never;

/** The values that the operator can write into a ConfigMap for a kind. */
export type ConfigMapExports<Kind extends keyof AzureSpecs> = NamesIn<OperatorSpecOf<Kind>, 'configMaps'>;

/** The values that the operator can write into a Secret for a kind. */
export type SecretExports<Kind extends keyof AzureSpecs> = NamesIn<OperatorSpecOf<Kind>, 'secrets'>;

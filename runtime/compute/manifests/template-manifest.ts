import type { KindDefinition } from '../../api/types.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { KnownAnswer } from '../templates/evaluation/scope.ts';
import type { Position, TemplateProblem } from '../templates/problems.ts';
import type { TemplateValue } from '../templates/values/value.ts';

/** An object of the namespace that stands for an ARM resource. */
export interface ObjectReference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The target of a template's manifests: one namespace, and one location of a deployment. */
export interface ManifestContext {
  readonly namespace: string;
  /** Begins the names of all objects, so that the sets of several locations are apart. @default '' */
  readonly prefix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Objects outside of the template by the ARM ids of their resources, such as the ResourceGroup. @default none */
  readonly objects?: Readonly<Record<string, ObjectReference>>;
  /** Azure's answers by ARM id, for values that are known after apply. @default none */
  readonly known?: Readonly<Record<string, KnownAnswer>>;
}

/** A Secret that an object names: its values by key, and whether the field takes all of them. */
export interface NamedSecret {
  readonly data: JsonObject;
  readonly isMap: boolean;
}

/** A Secret of Kubernetes with values of the template. The object that needs it names it. */
export interface TemplateSecret {
  readonly name: string;
  /** A SecretValue of a string by key; an Unknown while the manifest waits for answers. */
  readonly data: Readonly<Record<string, TemplateValue>>;
  /** Keys whose values no secure parameter and no answer of Azure has given: they stand in the template. */
  readonly plain: readonly string[];
  /** Whether the field takes all values of the Secret, such as protectedSettings. */
  readonly isMap: boolean;
}

/** The object of one resource of a template. */
export interface TemplateManifest {
  /** ARM id of the resource. */
  readonly id: string;
  readonly definition: KindDefinition;
  /** To be applied when `waitsFor` is empty. Until then parts of the spec can be objects of the class Unknown. */
  readonly object: KubeObject;
  /** To be written before the object. */
  readonly secrets: readonly TemplateSecret[];
  /** ARM ids of resources of the template that come before; the parent, if it is in the template, is one of them. */
  readonly dependsOn: readonly string[];
  /** ARM ids of resources whose answers are missing in `known`. */
  readonly waitsFor: readonly string[];
  /** Of the resource in the template. */
  readonly position: Position;
}

/** The objects of a template. Apply them only when there are no problems. */
export interface TemplateManifests {
  /** In the order of the resources. */
  readonly manifests: readonly TemplateManifest[];
  readonly problems: readonly TemplateProblem[];
}

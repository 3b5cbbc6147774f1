import type { Run, Scope } from '../evaluation/scope.ts';
import type { JsonNode } from '../json/json-node.ts';
import type { Problems } from '../problems.ts';
import type { TemplateObject } from '../values/value.ts';
import type { ExpandedOutput } from './outputs.ts';

/** The copy loop of an instance. */
export interface CopyIndex {
  readonly name: string;
  readonly index: number;
  /** Instances of a batch wait for all of the batch before; 0 for all of a parallel loop. */
  readonly batch: number;
}

/** One resource of the template, copies apart, before its body is evaluated. */
export interface Instance {
  readonly node: JsonNode;
  readonly scope: Scope;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly apiVersion: string | undefined;
  /** False when its condition is, and for a resource that exists already. */
  readonly isDeployed: boolean;
  /** Declared by `existing`: it is only referred to. */
  readonly isExisting: boolean;
  readonly copy: CopyIndex | undefined;
  /** Its key where resources are an object (languageVersion 2.0). */
  readonly symbol: string | undefined;
  /** The deployed resource that this one is written inside of. */
  readonly parent: Instance | undefined;
  /** Present for a deployment inside of the template: the instance stands for the resources of that one. */
  readonly nested: Nested | undefined;
}

/** A deployment inside of a template. Its members throw AlreadyReported where it cannot be expanded. */
export interface Nested {
  readonly part: TemplatePart;
  /** Ids of resources that its parameters need. */
  readonly edges: ReadonlySet<string>;
  /** Ids of resources that its outputs need. */
  readonly outputEdges: ReadonlySet<string>;
  /** With unknown parts. */
  readonly outputs: Readonly<Record<string, ExpandedOutput>>;
  /** As `reference()` shows it, with its outputs as far as the run knows them. */
  resource(run: Run): TemplateObject;
}

/** One template of an expansion, the whole one or that of a deployment inside of it, with its resources declared. */
export interface TemplatePart {
  readonly node: JsonNode;
  readonly scope: PartScope;
  readonly instances: readonly Instance[];
  /** Whether resources are missing that answers of Azure decide about; those of deployments inside of it do not count. */
  readonly isUndecided: boolean;
  /** As `Registry.dependencies`. */
  readonly dependencies: (text: string) => readonly Instance[];
}

/** The environment of a template's expressions, and the copy loops around the template. */
export type PartScope = Pick<Scope, 'environment' | 'loops' | 'loop'>;

/** State that all templates of one expansion share, those of deployments inside of it included. */
export interface Shared {
  readonly run: Run;
  readonly problems: Problems;
  /** The text of a linked template, by URI, path or id; undefined for one that is not there. */
  readonly linkedTemplate: (name: string) => string | undefined;
  /** Whether deployments in the template stay resources. */
  readonly keepsDeployments: boolean;
  /** Resources declared so far. */
  readonly count: { resources: number };
  /** Every resource that was declared, by its id in lower case. */
  readonly all: Map<string, Instance>;
}

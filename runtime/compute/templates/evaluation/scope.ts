import type { DeploymentScope } from '../document/deployments/deployment-scope.ts';
import type { JsonNode } from '../json/json-node.ts';
import type { AnswerReads } from '../values/answer-reads.ts';
import type { Budget } from '../values/budget.ts';
import type { TemplateObject, TemplateValue } from '../values/value.ts';

/** Where an expression stands. Functions differ in the places in which they may. */
export type Place =
  | 'default of a parameter'
  | 'variable'
  | 'value that must be known before the deployment'
  | 'body of a resource'
  | 'output'
  | 'function of the template';

/** A function that the template defines itself. */
export interface UserFunction {
  readonly parameters: readonly {
    readonly name: string;
    /** What is wrong with a value; undefined for one of its type. */
    readonly problem: (value: TemplateValue) => string | undefined;
  }[];
  readonly value: JsonNode;
  /** Whether it may call other functions of the template: languageVersion 2.0. */
  readonly mayCall: boolean;
}

/** The resource that a name or an id of `reference()` or of a list function means. */
export type ReferenceTarget =
  | { readonly kind: 'resource'; readonly id: string; readonly apiVersion?: string | undefined }
  /** A resource of the template whose name or count is known when these resources answer. */
  | { readonly kind: 'decided later'; readonly ids: readonly string[] }
  /** A deployment inside the template: its outputs are known as far as their resources are. */
  | { readonly kind: 'deployment'; readonly resource: TemplateObject; readonly ids: readonly string[] };

/** The names and values that the expressions of one template can use. */
export interface Environment {
  /** Throws TemplateError for a name that is not defined, AlreadyReported for one with a problem. */
  parameter(name: string): TemplateValue;
  /** As `parameter`. */
  variable(name: string): TemplateValue;
  userFunction(namespace: string, name: string): UserFunction | undefined;
  /** `hasVersion` says whether the call names an API version, as it must for resources outside of the template. */
  reference(nameOrId: string, hasVersion: boolean, run: Run): ReferenceTarget;
  /** The targets of `references()`: of each element of a copy loop. */
  references(name: string, run: Run): readonly ReferenceTarget[];
  /** The value of `resourceInfo()`. Throws TemplateError. */
  resourceInfo(name: string): TemplateObject;
  /** The value of `deployment()`. */
  deployment(): TemplateObject;
  readonly context: ContextValues;
  /** Present where another template evaluates the texts first: `[[x]` for it is `[x]` for the next environment. */
  readonly escapes?: Escapes;
}

/** The environments that evaluate a text which is escaped for the ones before them. */
export interface Escapes {
  readonly count: number;
  next(): Environment;
}

/** The values that depend on the scope of the deployment; undefined where the scope has none. */
export interface ScopeValues {
  readonly scope: DeploymentScope;
  /** Of the scope; above subscriptions that of the operator. */
  readonly subscriptionId: string;
  readonly resourceGroup: TemplateObject | undefined;
  readonly subscription: TemplateObject | undefined;
  readonly managementGroup: TemplateObject | undefined;
}

/** The values of `resourceGroup()` and its like. */
export interface ContextValues extends ScopeValues {
  /** The group and the subscription of the whole deployment. */
  readonly root: {
    readonly resourceGroup: {
      readonly name: string;
      readonly location: string;
      readonly tags?: Readonly<Record<string, string>>;
    };
    readonly subscriptionId: string;
    readonly displayName: string;
  };
  /** The location of another resource group, by its id. @default not known before the deployment */
  readonly groupLocation?: (id: string) => TemplateValue;
  readonly tenant: TemplateObject;
  readonly deployment: TemplateObject;
  readonly deployer: TemplateObject;
  readonly environment: TemplateObject;
  /** Milliseconds since 1970, for `utcNow()`. */
  readonly now: number;
  /** The next GUID, for `newGuid()`. */
  newGuid(): string;
}

/** The place of one expression, and the copy loops around it. */
export interface Scope {
  readonly environment: Environment;
  readonly place: Place;
  /** Indexes of the loops by their names in lower case. */
  readonly loops: ReadonlyMap<string, number>;
  /** Values of the variables of lambdas around the expression, by name in lower case. */
  readonly lambdaVariables?: ReadonlyMap<string, TemplateValue>;
  /** The loop that `copyIndex()` without a name means, in lower case. */
  readonly loop: string | undefined;
}

/** Azure's answers about one resource. */
export interface KnownAnswer {
  /** The body of a GET: id, location, properties and so on. */
  readonly resource?: unknown;
  /** Answers of list functions by their names, such as `listKeys`. */
  readonly lists?: Readonly<Record<string, unknown>>;
  /** Which answers the operator reads when it sends a body that needs them. @default none */
  readonly readAtRequest?: 'all' | 'lists';
}

/** In `edges` and dependencies: a resource that is not there yet, as answers of Azure decide about it. */
export const undecidedEdge = '(undecided)';

/** One run of the evaluator. */
export interface Run {
  readonly budget: Budget;
  /** By ARM id in lower case. */
  readonly known: ReadonlyMap<string, KnownAnswer>;
  /** Gets the ids of resources that expressions refer to. */
  readonly edges: Set<string>;
  /** Gets the parts of answers that expressions read. @default not collected */
  readonly reads?: AnswerReads;
  /** Gets the API versions under which expressions refer to resources, by ARM id in lower case. @default not collected */
  readonly versions?: Map<string, string>;
}

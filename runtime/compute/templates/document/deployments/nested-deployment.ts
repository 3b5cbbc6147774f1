import type { ContextValues, Run, Scope } from '../../evaluation/scope.ts';
import { nodeValue } from '../../functions/node-value.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { templateLimits } from '../../limits.ts';
import { AlreadyReported, quoted, TemplateError } from '../../problems.ts';
import { type TemplateObject, type TemplateValue, templateObject, Unknown } from '../../values/value.ts';
import { resumeUnknowns } from '../../values/value-info.ts';
import { deploymentValue, valuesAt } from '../context.ts';
import type { Instance, Nested, PartScope, Shared, TemplatePart } from '../instance.ts';
import { type ExpandedOutput, evaluateOutputs } from '../outputs.ts';
import { checkSections } from '../sections.ts';
import { evaluateTree, isDecidedLater, knownText } from '../tree.ts';
import type { DeploymentScope } from './deployment-scope.ts';
import { givenValues } from './given-value.ts';
import { parametersOf, templateOf } from './template-link.ts';

/** Where the expressions of a template are evaluated: on their own, or in the scope of the template around it. */
export type ScopeChoice =
  | ({ readonly kind: 'own'; readonly escapes: number } & OwnScope)
  | {
      readonly kind: 'outer';
      readonly scope: PartScope;
      readonly target: DeploymentScope;
      /** For the texts that are escaped for the template around it. */
      readonly own: () => OwnScope;
    };

/** What a template of its own is evaluated with. */
export interface OwnScope {
  readonly values: ContextValues;
  readonly given: ReadonlyMap<string, TemplateValue>;
}

/** The template around a deployment. */
interface Around {
  readonly shared: Shared;
  /** Levels of deployments, from 1 on. */
  readonly depth: number;
  /** Whether the template around it has symbolic names: then the scope is always the inner one. */
  readonly isSymbolic: boolean;
  /** Where the deployment goes. */
  readonly target: DeploymentScope;
  /** The URI or path of the template around it; '' for the whole one. */
  readonly link: string;
  readonly declare: (node: JsonNode, scope: ScopeChoice, link: string) => TemplatePart;
}

interface Outputs {
  readonly outputs: Readonly<Record<string, ExpandedOutput>>;
  readonly edges: ReadonlySet<string>;
}

const early = 'value that must be known before the deployment';
const members = [
  ...['type', 'name', 'apiversion', 'condition', 'copy', 'dependson', 'properties', 'comments', 'metadata'],
  ...['resourcegroup', 'subscriptionid', 'scope', 'location', 'tags'],
];
const propertyMembers = [
  ...['mode', 'template', 'templatelink', 'parameters', 'parameterslink', 'expressionevaluationoptions'],
  // Azure's own record of the run; the expansion keeps none.
  ...['debugsetting', 'validationlevel'],
];

/**
 * A deployment inside of a template. Its resources become resources of the expansion; it is no resource itself. They are
 * declared when they are first needed, so that parameters can have outputs of other deployments.
 */
export class NestedDeployment implements Nested {
  readonly edges = new Set<string>();
  readonly #instance: Omit<Instance, 'nested'>;
  readonly #around: Around;
  readonly #run: Run;
  #part: TemplatePart | 'being declared' | 'failed' | undefined;
  #outputs: Outputs | 'being evaluated' | undefined;

  constructor(instance: Omit<Instance, 'nested'>, around: Around) {
    this.#instance = instance;
    this.#around = around;
    this.#run = { ...around.shared.run, edges: this.edges };
  }

  get part(): TemplatePart {
    const { node, name } = this.#instance;
    if (this.#part === 'failed') throw new AlreadyReported();
    if (this.#part === 'being declared') {
      throw new TemplateError('Cycle', `The parameters of the deployment ${quoted(name)} need its own outputs`);
    }
    if (this.#part) return this.#part;
    this.#part = 'being declared';
    try {
      this.#part = this.#declare();
      return this.#part;
    } catch (error) {
      this.#part = 'failed';
      this.#around.shared.problems.addError(error, node, this.#instance.id);
      throw new AlreadyReported();
    }
  }

  get outputs(): Readonly<Record<string, ExpandedOutput>> {
    return this.#evaluated().outputs;
  }

  get outputEdges(): ReadonlySet<string> {
    return this.#evaluated().edges;
  }

  #evaluated(): Outputs {
    if (this.#outputs === 'being evaluated') {
      throw new TemplateError('Cycle', `The outputs of the deployment ${quoted(this.#instance.name)} need themselves`);
    }
    if (this.#outputs) return this.#outputs;
    const { node, scope } = this.part;
    const run: Run = { ...this.#run, edges: new Set() };
    this.#outputs = 'being evaluated';
    const outputs = evaluateOutputs(node, scope, run, this.#around.shared.problems);
    this.#outputs = { outputs, edges: run.edges };
    return this.#outputs;
  }

  resource(run: Run): TemplateObject {
    const { id, name, type } = this.#instance;
    const entries = Object.entries(this.outputs).map(([each, { type: of, value }]): [string, TemplateValue] => {
      const shown = resumeUnknowns(value, run);
      // As in Azure, an output that is null has no value.
      return [each, templateObject(Object.entries({ type: of, ...(shown !== null && { value: shown }) }))];
    });
    const outputs = templateObject(entries);
    const properties = templateObject(Object.entries({ mode: 'Incremental', provisioningState: 'Succeeded', outputs }));
    return templateObject(Object.entries({ id, name, type, properties }));
  }

  #declare(): TemplatePart {
    const { shared, depth, declare } = this.#around;
    const { node, name, scope } = this.#instance;
    if (depth > templateLimits.deploymentDepth) {
      const message = `Deployments are inside each other more than ${templateLimits.deploymentDepth} levels deep: flatten them`;
      throw new TemplateError('Limit', message);
    }
    if (!/^[-\w.()]{1,64}$/.test(name)) {
      const message = `The name of a deployment has 1 to 64 letters, digits and -_.(), and is ${quoted(name)}`;
      throw new TemplateError('Structure', message);
    }
    this.#checkMembers(node, members, 'of a deployment');
    this.#checkLocation();
    const properties = memberOf(node, 'properties');
    this.#checkMembers(properties, propertyMembers, 'of a deployment inside of a template');
    const place = {
      shared,
      around: this.#around.link,
      value: (part: JsonNode) => evaluateTree(part, this.#early(), this.#run, undefined),
    };
    const { template, link } = templateOf(properties, place);
    if (!checkSections(template, shared.problems, true)) throw new AlreadyReported();
    const mode = this.#text(memberOf(properties, 'mode'), 'mode of a deployment') ?? 'Incremental';
    if (mode.toLowerCase() !== 'incremental') {
      throw new TemplateError(
        'Unsupported',
        `The mode of a deployment inside of a template must be Incremental, and is ${quoted(mode)}`,
      );
    }
    const { section: parameters, isLinked } = parametersOf(properties, place);
    const given = this.#given(parameters, isLinked);
    const own = () => ({ values: this.#values(link), given });
    if (link !== undefined || this.#isInner(properties)) {
      const escapes = link === undefined ? (scope.environment.escapes?.count ?? 0) : 0;
      return declare(template, { kind: 'own', escapes, ...own() }, link ?? this.#around.link);
    }
    this.#checkUnread(template, given.keys());
    return declare(template, { kind: 'outer', scope, target: this.#around.target, own }, this.#around.link);
  }

  /** A deployment has the location of its resource group, and needs one of its own where it has no group. */
  #checkLocation(): void {
    const { node, name } = this.#instance;
    const { kind } = this.#around.target;
    const [has, isGroup] = [memberOf(node, 'location') !== undefined, kind === 'resource group'];
    if (has !== isGroup) return;
    const message = isGroup
      ? `The 'location' property is not allowed for ${quoted(name)} at resource group scope: remove it`
      : `The 'location' property must be specified for the deployment ${quoted(name)}, as it goes into a ${kind}`;
    throw new TemplateError('Structure', message);
  }

  /** In the outer scope, expressions read the parameters of the template around it, not the passed parameters. */
  #checkUnread(template: JsonNode, names: Iterable<string>): void {
    const declared = memberOf(template, 'parameters');
    for (const name of names) {
      if (memberOf(declared, name)) continue;
      const message = `The template of the deployment has no parameter ${quoted(name)}: remove the value or correct its name`;
      throw new TemplateError('Parameter', message);
    }
  }

  #checkMembers(node: JsonNode | undefined, known: readonly string[], where: string): void {
    if (node?.kind !== 'object') return;
    for (const [name, member] of node.members) {
      if (known.includes(name.toLowerCase())) continue;
      const message = `${quoted(name)} ${where} is not supported: put the resources into properties.template`;
      this.#around.shared.problems.add('Unsupported', member, message);
    }
  }

  #isInner(properties: JsonNode | undefined): boolean {
    const options = memberOf(memberOf(properties, 'expressionEvaluationOptions'), 'scope');
    const scope = this.#text(options, 'scope of a deployment')?.toLowerCase();
    const { isSymbolic } = this.#around;
    if (scope === undefined || scope === 'notspecified') return isSymbolic;
    if (scope === 'inner' || (scope === 'outer' && !isSymbolic)) return scope === 'inner';
    const wanted = isSymbolic ? 'inner, as languageVersion is 2.0' : 'inner or outer';
    throw new TemplateError('Structure', `The scope of expressionEvaluationOptions must be ${wanted}`);
  }

  #text(node: JsonNode | undefined, what: string): string | undefined {
    return node && knownText(evaluateTree(node, this.#early(), this.#run, undefined), what);
  }

  #early(): Scope {
    return { ...this.#instance.scope, place: early };
  }

  #values(link: string | undefined): ContextValues {
    const { environment } = this.#instance.scope;
    const linked = link !== undefined && /^https?:/i.test(link) ? { templateLink: { uri: link } } : {};
    const { target } = this.#around;
    const { context } = environment;
    const location = this.#location() ?? context.root.resourceGroup.location;
    const deployment = deploymentValue(this.#instance.name, {
      link: linked,
      ...(target.kind !== 'resource group' && { location }),
    });
    return valuesAt(target, { ...context, deployment, groupLocation: (id) => this.#groupLocation(id) });
  }

  /** Its location, which may be that of a group that Azure alone knows. */
  #location(): TemplateValue | undefined {
    const node = memberOf(this.#instance.node, 'location');
    const value = node && evaluateTree(node, this.#early(), this.#run, undefined);
    return node && (isDecidedLater(value) ? value : knownText(value, 'location of a deployment'));
  }

  /** The location of a resource group that the templates make. Another one is known to Azure alone. */
  #groupLocation(id: string): TemplateValue {
    const group = this.#around.shared.all.get(id.toLowerCase());
    const location = group && memberOf(group.node, 'location');
    if (group && location) return evaluateTree(location, { ...group.scope, place: early }, this.#run, undefined);
    return new Unknown(`location of ${id}`, [id], () => this.#groupLocation(id));
  }

  /** The values of its parameters, evaluated in the scope of the template around it. */
  #given(section: JsonNode | undefined, isLinked: boolean): Map<string, TemplateValue> {
    const { shared } = this.#around;
    return givenValues(section, (node) => {
      const before = shared.problems.failures;
      const input = isLinked ? nodeValue(node) : evaluateTree(node, this.#instance.scope, this.#run, shared.problems);
      if (shared.problems.failures > before) throw new AlreadyReported();
      return input;
    });
  }
}

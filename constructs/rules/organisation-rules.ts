import { type Manifest, type Rule, type RuleSettings, rulesOf } from './manifest-rules.ts';

export type { RuleSettings } from './manifest-rules.ts';

/** The members of cdk8s' ValidationContext that the plugin uses; cdk8s-cli is not a dependency. */
export interface RuleContext {
  /** Paths of the synthesized manifests. */
  readonly manifests: readonly string[];
  parseManifest(path: string): readonly unknown[];
  readonly report: {
    addViolation(violation: {
      readonly ruleName: string;
      readonly recommendation: string;
      readonly fix: string;
      readonly violatingResources: readonly {
        readonly resourceName: string;
        readonly locations: readonly string[];
        readonly manifestPath: string;
      }[];
    }): void;
    submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
  };
}

const lists = ['allowedRegions'];
const switches = ['noSecretLiterals', 'managedIdentityOnly', 'vaultOnly'];
const known = [...switches, ...lists, 'allowedSkus'];

/**
 * The rules of an organisation as a validation plugin of cdk8s. `cdk8s synth` prints each violation with the path of its
 * construct and ends with exit code 2.
 *
 * ```yaml
 * validations:
 *   - package: ./node_modules/azimuth
 *     class: OrganisationRules
 *     version: 0.1.0
 *     properties:
 *       allowedRegions: [westeurope, northeurope]
 *       managedIdentityOnly: true
 * ```
 */
export class OrganisationRules {
  readonly #rules: readonly Rule[];

  /** @throws Error for a property that is no rule, or that has the wrong form */
  constructor(settings: RuleSettings = {}) {
    const problems = settingProblems(settings as Readonly<Record<string, unknown>>);
    if (problems.length > 0) throw new Error(`properties of OrganisationRules in cdk8s.yaml: ${problems.join('; ')}`);
    this.#rules = rulesOf(settings);
  }

  /** Checks all manifests, and reports every violation. */
  async validate(context: RuleContext): Promise<void> {
    const { manifests, report } = context;
    let violated = 0;
    const objects = manifests.flatMap((path) =>
      context.parseManifest(path).map((object) => ({ path, object: (object ?? {}) as Manifest })),
    );
    for (const { name, recommendation, fix, check } of this.#rules) {
      const violatingResources = objects.flatMap(({ path, object }) => {
        const locations = check(object);
        const resourceName = object.metadata?.name ?? '';
        return locations.length > 0 ? [{ resourceName, locations, manifestPath: path }] : [];
      });
      if (violatingResources.length === 0) continue;
      violated++;
      report.addViolation({ ruleName: name, recommendation, fix, violatingResources });
    }
    report.submit(violated === 0 ? 'success' : 'failure', { rules: this.#rules.map(({ name }) => name).join(', ') });
  }
}

function settingProblems(settings: Readonly<Record<string, unknown>>): string[] {
  const isTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!known.includes(name)) return [`Expected one of ${known.join(', ')}, got \`${name}\``];
    const got = `got \`${JSON.stringify(value)}\``;
    if (switches.includes(name) && typeof value !== 'boolean')
      return [`Expected \`${name}\` to be true or false, ${got}`];
    if (lists.includes(name) && !isTexts(value)) return [`Expected \`${name}\` to be a list of names, ${got}`];
    const isMap = value !== null && typeof value === 'object' && Object.values(value).every(isTexts);
    if (name === 'allowedSkus' && !isMap) return [`Expected \`allowedSkus\` to be lists of names by kind, ${got}`];
    return [];
  });
}

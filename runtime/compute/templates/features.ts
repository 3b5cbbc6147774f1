/** A feature of the template language. */
export interface TemplateFeature {
  /** How far it goes: `whole` is as in Azure, `refused` is a problem that names the reason. */
  readonly state: 'whole' | 'refused' | 'with its file';
  /** One sentence for docs/reference/templates.md. */
  readonly doc: string;
}

/** Features of templates by the section in which they stand; docs/reference/templates.md has these rows. */
export const templateFeatures: Readonly<Record<string, TemplateFeature>> = {
  '@options': { state: 'refused', doc: '`onlyIfNotExists`, `waitUntil` and `retryOn` of Bicep.' },
  asserts: { state: 'refused', doc: 'Tests of values.' },
  apiProfile: { state: 'whole', doc: 'The api-versions that resources leave out.' },
  'condition of a resource or output': { state: 'whole', doc: 'A skipped resource leaves the dependencies of others.' },
  'copy of outputs': { state: 'whole', doc: 'An array of values.' },
  'copy of properties': { state: 'whole', doc: 'Arrays inside of a body.' },
  'copy of resources': { state: 'whole', doc: 'Parallel, or serial in batches.' },
  'copy of variables': { state: 'whole', doc: 'At the top, and inside of an object.' },
  definitions: { state: 'whole', doc: 'Types by `$ref`.' },
  'dependsOn of a loop or one element': { state: 'whole', doc: '`disks` and `disks[0]`.' },
  'deployment of the inner scope': { state: 'whole', doc: 'With parameters and outputs of its own.' },
  'deployment of the outer scope': { state: 'whole', doc: 'Its expressions see the template around it.' },
  discriminator: { state: 'whole', doc: 'The type of an object by one of its members.' },
  existing: { state: 'whole', doc: 'A resource that is referred to, in any scope.' },
  extensions: { state: 'refused', doc: 'Resources of Kubernetes and Microsoft Graph.' },
  functions: { state: 'whole', doc: 'Functions of the template; they call each other with languageVersion 2.0.' },
  imports: { state: 'refused', doc: 'The former name of extensions.' },
  'names, conditions and counts that an answer decides': {
    state: 'whole',
    doc: 'A run decides them in rounds, within limits; `azimuth convert` leaves the resources out.',
  },
  nullable: { state: 'whole', doc: 'A parameter that may be null.' },
  outputs: { state: 'whole', doc: 'A ComputeDeployment writes them into a ConfigMap and a Secret (`spec.outputs`).' },
  'parametersLink by uri or relativePath': {
    state: 'with its file',
    doc: 'The parameters file of a deployment inside of a template.',
  },
  'scope of a management group': { state: 'whole', doc: 'By `$schema`.' },
  'scope of a resource': { state: 'whole', doc: 'Extension resources.' },
  'scope of a subscription': { state: 'whole', doc: 'By `$schema`.' },
  'scope of the tenant': { state: 'whole', doc: 'By `$schema`.' },
  'symbolic names': { state: 'whole', doc: '`resources` as an object.' },
  'templateLink by id, uri or relativePath': { state: 'with its file', doc: 'A linked template or a template spec.' },
  validate: { state: 'whole', doc: 'Rules for values by lambdas, each with its message.' },
};

/** Bounds of a template. The first group is Azure's, the second keeps one template from taking a program's time or memory. */
export const templateLimits = {
  /** Characters of the text of a template, and of its expansion. */
  templateCharacters: 4_194_304,
  /** Characters of one resource, as JSON. */
  resourceCharacters: 1_048_576,
  parameters: 256,
  variables: 512,
  /** Copies count. */
  resources: 800,
  outputs: 64,
  expressionCharacters: 24_576,
  literalCharacters: 131_072,
  copyCount: 800,

  /** Levels of objects and arrays in the text. */
  jsonDepth: 64,
  /** Values in the text. */
  jsonValues: 200_000,
  /** Calls inside each other in one expression. */
  expressionDepth: 64,
  /** Levels of objects and arrays in a value that expressions build. */
  valueDepth: 100,
  /** Levels of deployments inside each other. */
  deploymentDepth: 10,
  /** Values and expressions inside each other while they are evaluated, through variables and parameters. */
  nesting: 400,
  /** Steps of evaluation of a template; a function takes more steps for longer values. */
  steps: 2_000_000,
  /** Characters that all expressions of a template produce, intermediate values included. */
  producedCharacters: 33_554_432,
  /** Problems that are reported. */
  problems: 100,
} as const;

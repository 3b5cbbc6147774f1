/** The labels of one program's objects. Selectors use the first two only, as selectors cannot change later. */
export interface ProgramLabels {
  readonly selector: Readonly<Record<string, string>>;
  readonly all: Readonly<Record<string, string>>;
}

/** Label keys: https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
export function programLabels(component: string, version: string): ProgramLabels {
  const selector = { 'app.kubernetes.io/name': 'azimuth', 'app.kubernetes.io/component': component };
  return {
    selector,
    all: { ...selector, 'app.kubernetes.io/version': version, 'app.kubernetes.io/part-of': 'azimuth' },
  };
}

import type { ImportedManifest } from '../import/manifests.ts';

/** A resource or value that is not converted, and the reason. */
export interface ConvertProblem {
  /** `shop.json:12:5 resources[0]`: file, line, column and path. */
  readonly place: string;
  readonly message: string;
}

/** The objects of a template. */
export interface ConvertedTemplate {
  /** In the order of the template's resources. */
  readonly manifests: readonly ImportedManifest[];
  readonly problems: readonly ConvertProblem[];
  /** Sentences for people about what the objects do not say. */
  readonly notes: readonly string[];
}

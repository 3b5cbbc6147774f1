import type { KubeObject } from '../kube/client/types.ts';

/** A tool that applied an object and would apply it again, by the mark that it left there. */
export interface Tool {
  /** How to stop it for objects with resources in Azure: it deletes nothing. */
  readonly stop: string;
  /** How to remove programs with it. */
  readonly remove: string;
  /** The tool's unit of installation: its deletion deletes its objects. */
  readonly owner: 'Application' | 'Kustomization' | 'release';
}

/**
 * The tool whose mark an object has; undefined where there is none. Anybody who may write an object may write such a mark, and
 * people copy commands into a shell: a text that is no name of Kubernetes is left out.
 */
export function toolOf({ metadata: { annotations = {}, labels = {} } }: KubeObject): Tool | undefined {
  const release = annotations['meta.helm.sh/release-name'];
  if (release !== undefined) {
    const name = `${named(release)} -n ${named(annotations['meta.helm.sh/release-namespace'])}`;
    return {
      stop: `run no upgrade and no rollback of the Helm release ${name}`,
      remove: `helm uninstall ${name}`,
      owner: 'release',
    };
  }
  const application = annotations['argocd.argoproj.io/tracking-id'];
  if (application !== undefined) {
    // An Application outside of Argo CD's namespace is NAMESPACE_NAME here, and NAMESPACE/NAME in commands.
    const name = (application.split(':')[0] ?? '').split('_').map(named).join('/');
    return {
      stop: `argocd app set ${name} --sync-policy none`,
      remove: `delete the Application ${name} of Argo CD`,
      owner: 'Application',
    };
  }
  const kustomization = labels['kustomize.toolkit.fluxcd.io/name'];
  if (kustomization !== undefined) {
    const name = `${named(kustomization)} -n ${named(labels['kustomize.toolkit.fluxcd.io/namespace'])}`;
    return {
      stop: `flux suspend kustomization ${name}`,
      remove: `kubectl delete kustomization.kustomize.toolkit.fluxcd.io ${name}`,
      owner: 'Kustomization',
    };
  }
  // Argo CD before 3.0 has no other mark, and people and other tools set it too.
  const instance = labels['app.kubernetes.io/instance'];
  if (instance === undefined) return undefined;
  const mark = `app.kubernetes.io/instance=${named(instance)}`;
  return {
    stop: `switch off what applies the objects with the label ${mark} (for Argo CD: --sync-policy none)`,
    remove: `by what applied the objects with the label ${mark}, such as an Application of Argo CD`,
    owner: 'Application',
  };
}

const named = (text = '') => (/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(text) ? text : '<no valid name>');

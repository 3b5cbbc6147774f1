// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Api`. */
export interface ApiProps extends KindProps<'apimanagement.azure.com/Api'> {}

/**
 * Microsoft.ApiManagement/service/apis, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Api extends AzureResource<'apimanagement.azure.com/Api'> {
  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Api' });
  }
}

/** Properties of `ApiDiagnostic`. */
export interface ApiDiagnosticProps extends KindProps<'apimanagement.azure.com/ApiDiagnostic'> {}

/**
 * Microsoft.ApiManagement/service/apis/diagnostics, in a Api.
 * Versions of Azure's API: 2024-05-01.
 */
export class ApiDiagnostic extends AzureResource<'apimanagement.azure.com/ApiDiagnostic'> {
  constructor(scope: Construct, id: string, props: ApiDiagnosticProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ApiDiagnostic' });
  }
}

/** Properties of `ApiPolicy`. */
export interface ApiPolicyProps extends KindProps<'apimanagement.azure.com/ApiPolicy'> {}

/**
 * Microsoft.ApiManagement/service/apis/policies, in a Api.
 * Its name in Azure is `policy`.
 * Versions of Azure's API: 2024-05-01.
 */
export class ApiPolicy extends AzureResource<'apimanagement.azure.com/ApiPolicy'> {
  constructor(scope: Construct, id: string, props: ApiPolicyProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ApiPolicy' });
  }
}

/** Properties of `ApiVersionSet`. */
export interface ApiVersionSetProps extends KindProps<'apimanagement.azure.com/ApiVersionSet'> {}

/**
 * Microsoft.ApiManagement/service/apiVersionSets, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class ApiVersionSet extends AzureResource<'apimanagement.azure.com/ApiVersionSet'> {
  constructor(scope: Construct, id: string, props: ApiVersionSetProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ApiVersionSet' });
  }
}

/** Properties of `AuthorizationProvider`. */
export interface AuthorizationProviderProps extends KindProps<'apimanagement.azure.com/AuthorizationProvider'> {}

/**
 * Microsoft.ApiManagement/service/authorizationProviders, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class AuthorizationProvider extends AzureResource<'apimanagement.azure.com/AuthorizationProvider'> {
  constructor(scope: Construct, id: string, props: AuthorizationProviderProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/AuthorizationProvider' });
  }
}

/** Properties of `AuthorizationProvidersAuthorization`. */
export interface AuthorizationProvidersAuthorizationProps extends KindProps<'apimanagement.azure.com/AuthorizationProvidersAuthorization'> {}

/**
 * Microsoft.ApiManagement/service/authorizationProviders/authorizations, in a AuthorizationProvider.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class AuthorizationProvidersAuthorization extends AzureResource<'apimanagement.azure.com/AuthorizationProvidersAuthorization'> {
  constructor(scope: Construct, id: string, props: AuthorizationProvidersAuthorizationProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/AuthorizationProvidersAuthorization' });
  }
}

/** Properties of `AuthorizationProvidersAuthorizationsAccessPolicy`. */
export interface AuthorizationProvidersAuthorizationsAccessPolicyProps extends KindProps<'apimanagement.azure.com/AuthorizationProvidersAuthorizationsAccessPolicy'> {}

/**
 * Microsoft.ApiManagement/service/authorizationProviders/authorizations/accessPolicies, in a AuthorizationProvidersAuthorization.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class AuthorizationProvidersAuthorizationsAccessPolicy extends AzureResource<'apimanagement.azure.com/AuthorizationProvidersAuthorizationsAccessPolicy'> {
  constructor(scope: Construct, id: string, props: AuthorizationProvidersAuthorizationsAccessPolicyProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/AuthorizationProvidersAuthorizationsAccessPolicy' });
  }
}

/** Properties of `Backend`. */
export interface BackendProps extends KindProps<'apimanagement.azure.com/Backend'> {}

/**
 * Microsoft.ApiManagement/service/backends, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Backend extends AzureResource<'apimanagement.azure.com/Backend'> {
  constructor(scope: Construct, id: string, props: BackendProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Backend' });
  }
}

/** Properties of `Certificate`. */
export interface CertificateProps extends KindProps<'apimanagement.azure.com/Certificate'> {}

/**
 * Microsoft.ApiManagement/service/certificates, in a Service.
 * Versions of Azure's API: 2024-05-01.
 */
export class Certificate extends AzureResource<'apimanagement.azure.com/Certificate'> {
  constructor(scope: Construct, id: string, props: CertificateProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Certificate' });
  }
}

/** Properties of `Diagnostic`. */
export interface DiagnosticProps extends KindProps<'apimanagement.azure.com/Diagnostic'> {}

/**
 * Microsoft.ApiManagement/service/diagnostics, in a Service.
 * Versions of Azure's API: 2024-05-01.
 */
export class Diagnostic extends AzureResource<'apimanagement.azure.com/Diagnostic'> {
  constructor(scope: Construct, id: string, props: DiagnosticProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Diagnostic' });
  }
}

/** Properties of `Group`. */
export interface GroupProps extends KindProps<'apimanagement.azure.com/Group'> {}

/**
 * Microsoft.ApiManagement/service/groups, in a Service.
 * Versions of Azure's API: 2024-05-01.
 */
export class Group extends AzureResource<'apimanagement.azure.com/Group'> {
  constructor(scope: Construct, id: string, props: GroupProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Group' });
  }
}

/** Properties of `Logger`. */
export interface LoggerProps extends KindProps<'apimanagement.azure.com/Logger'> {}

/**
 * Microsoft.ApiManagement/service/loggers, in a Service.
 * Versions of Azure's API: 2024-05-01.
 */
export class Logger extends AzureResource<'apimanagement.azure.com/Logger'> {
  constructor(scope: Construct, id: string, props: LoggerProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Logger' });
  }
}

/** Properties of `NamedValue`. */
export interface NamedValueProps extends KindProps<'apimanagement.azure.com/NamedValue'> {}

/**
 * Microsoft.ApiManagement/service/namedValues, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class NamedValue extends AzureResource<'apimanagement.azure.com/NamedValue'> {
  constructor(scope: Construct, id: string, props: NamedValueProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/NamedValue' });
  }
}

/** Properties of `Policy`. */
export interface PolicyProps extends KindProps<'apimanagement.azure.com/Policy'> {}

/**
 * Microsoft.ApiManagement/service/policies, in a Service.
 * Its name in Azure is `policy`.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Policy extends AzureResource<'apimanagement.azure.com/Policy'> {
  constructor(scope: Construct, id: string, props: PolicyProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Policy' });
  }
}

/** Properties of `PolicyFragment`. */
export interface PolicyFragmentProps extends KindProps<'apimanagement.azure.com/PolicyFragment'> {}

/**
 * Microsoft.ApiManagement/service/policyFragments, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class PolicyFragment extends AzureResource<'apimanagement.azure.com/PolicyFragment'> {
  constructor(scope: Construct, id: string, props: PolicyFragmentProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/PolicyFragment' });
  }
}

/** Properties of `Product`. */
export interface ProductProps extends KindProps<'apimanagement.azure.com/Product'> {}

/**
 * Microsoft.ApiManagement/service/products, in a Service.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Product extends AzureResource<'apimanagement.azure.com/Product'> {
  constructor(scope: Construct, id: string, props: ProductProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Product' });
  }
}

/** Properties of `ProductApi`. */
export interface ProductApiProps extends KindProps<'apimanagement.azure.com/ProductApi'> {}

/**
 * Microsoft.ApiManagement/service/products/apis, in a Product.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class ProductApi extends AzureResource<'apimanagement.azure.com/ProductApi'> {
  constructor(scope: Construct, id: string, props: ProductApiProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ProductApi' });
  }
}

/** Properties of `ProductGroup`. */
export interface ProductGroupProps extends KindProps<'apimanagement.azure.com/ProductGroup'> {}

/**
 * Microsoft.ApiManagement/service/products/groups, in a Product.
 * Versions of Azure's API: 2024-05-01.
 */
export class ProductGroup extends AzureResource<'apimanagement.azure.com/ProductGroup'> {
  constructor(scope: Construct, id: string, props: ProductGroupProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ProductGroup' });
  }
}

/** Properties of `ProductPolicy`. */
export interface ProductPolicyProps extends KindProps<'apimanagement.azure.com/ProductPolicy'> {}

/**
 * Microsoft.ApiManagement/service/products/policies, in a Product.
 * Its name in Azure is `policy`.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class ProductPolicy extends AzureResource<'apimanagement.azure.com/ProductPolicy'> {
  constructor(scope: Construct, id: string, props: ProductPolicyProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ProductPolicy' });
  }
}

/** Properties of `Service`. */
export interface ServiceProps extends KindProps<'apimanagement.azure.com/Service'> {}

/**
 * Microsoft.ApiManagement/service, in a ResourceGroup.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Service extends AzureResource<'apimanagement.azure.com/Service'> {
  constructor(scope: Construct, id: string, props: ServiceProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Service' });
  }
}

/** Properties of `ServiceGateway`. */
export interface ServiceGatewayProps extends KindProps<'apimanagement.azure.com/ServiceGateway'> {}

/**
 * Microsoft.ApiManagement/service/gateways, in a Service.
 * `export()` gives `primaryKey`, `secondaryKey`.
 * Versions of Azure's API: 2024-05-01.
 */
export class ServiceGateway extends AzureResource<'apimanagement.azure.com/ServiceGateway'> {
  constructor(scope: Construct, id: string, props: ServiceGatewayProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ServiceGateway' });
  }
}

/** Properties of `ServiceGatewayApi`. */
export interface ServiceGatewayApiProps extends KindProps<'apimanagement.azure.com/ServiceGatewayApi'> {}

/**
 * Microsoft.ApiManagement/service/gateways/apis, in a ServiceGateway.
 * Versions of Azure's API: 2024-05-01.
 */
export class ServiceGatewayApi extends AzureResource<'apimanagement.azure.com/ServiceGatewayApi'> {
  constructor(scope: Construct, id: string, props: ServiceGatewayApiProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ServiceGatewayApi' });
  }
}

/** Properties of `ServiceGatewayCertificateAuthority`. */
export interface ServiceGatewayCertificateAuthorityProps extends KindProps<'apimanagement.azure.com/ServiceGatewayCertificateAuthority'> {}

/**
 * Microsoft.ApiManagement/service/gateways/certificateAuthorities, in a ServiceGateway.
 * Versions of Azure's API: 2024-05-01.
 */
export class ServiceGatewayCertificateAuthority extends AzureResource<'apimanagement.azure.com/ServiceGatewayCertificateAuthority'> {
  constructor(scope: Construct, id: string, props: ServiceGatewayCertificateAuthorityProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ServiceGatewayCertificateAuthority' });
  }
}

/** Properties of `ServiceGatewayHostnameConfiguration`. */
export interface ServiceGatewayHostnameConfigurationProps extends KindProps<'apimanagement.azure.com/ServiceGatewayHostnameConfiguration'> {}

/**
 * Microsoft.ApiManagement/service/gateways/hostnameConfigurations, in a ServiceGateway.
 * Versions of Azure's API: 2024-05-01.
 */
export class ServiceGatewayHostnameConfiguration extends AzureResource<'apimanagement.azure.com/ServiceGatewayHostnameConfiguration'> {
  constructor(scope: Construct, id: string, props: ServiceGatewayHostnameConfigurationProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/ServiceGatewayHostnameConfiguration' });
  }
}

/** Properties of `Subscription`. */
export interface SubscriptionProps extends KindProps<'apimanagement.azure.com/Subscription'> {}

/**
 * Microsoft.ApiManagement/service/subscriptions, in a Service.
 * `export()` gives `primaryKey`, `secondaryKey`.
 * Versions of Azure's API: 2024-05-01, 2023-05-01-preview, 2022-08-01.
 */
export class Subscription extends AzureResource<'apimanagement.azure.com/Subscription'> {
  constructor(scope: Construct, id: string, props: SubscriptionProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/Subscription' });
  }
}

/** Properties of `User`. */
export interface UserProps extends KindProps<'apimanagement.azure.com/User'> {}

/**
 * Microsoft.ApiManagement/service/users, in a Service.
 * Versions of Azure's API: 2024-05-01.
 */
export class User extends AzureResource<'apimanagement.azure.com/User'> {
  constructor(scope: Construct, id: string, props: UserProps) {
    super(scope, id, { ...props, kind: 'apimanagement.azure.com/User' });
  }
}

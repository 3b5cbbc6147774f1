// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface WorkspacesComputeSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /**
     * The form whose `computeType` is `AKS`.
     * @default Azure's own value
     */
    aks?: {
      computeLocation?: string;
      /** Always `AKS`. */
      computeType: 'AKS';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the aks.
       * @default Azure's own value
       */
      properties?: {
        /**
         * At least 0.
         * @default Azure's own value
         */
        agentCount?: number;
        agentVmSize?: string;
        aksNetworkingConfiguration?: {
          /**
           * Pattern: `^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$`.
           * @default Azure's own value
           */
          dnsServiceIP?: string;
          /**
           * Pattern: `^([0-9]{1,3}\.){3}[0-9]{1,3}(\/([0-9]|[1-2][0-9]|3[0-2]))?$`.
           * @default Azure's own value
           */
          dockerBridgeCidr?: string;
          /**
           * Pattern: `^([0-9]{1,3}\.){3}[0-9]{1,3}(\/([0-9]|[1-2][0-9]|3[0-2]))?$`.
           * @default Azure's own value
           */
          serviceCidr?: string;
          /**
           * By construct or ARM id: VirtualNetworksSubnet.
           * @default Azure's own value
           */
          subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        };
        clusterFqdn?: string;
        clusterPurpose?: 'DenseProd' | 'DevTest' | 'FastProd';
        /**
         * Only in v1api20210701.
         * @default Azure's own value
         */
        loadBalancerSubnet?: string;
        /**
         * By construct or ARM id: VirtualNetworksSubnet.
         * @default Azure's own value
         */
        loadBalancerSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        loadBalancerType?: 'InternalLoadBalancer' | 'PublicIp';
        sslConfiguration?: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          cert?: SecretKeyReference;
          cname?: string;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          key?: SecretKeyReference;
          leafDomainLabel?: string;
          overwriteExistingDomain?: boolean;
          status?: 'Auto' | 'Disabled' | 'Enabled';
        };
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `AmlCompute`.
     * @default Azure's own value
     */
    amlCompute?: {
      computeLocation?: string;
      /** Always `AmlCompute`. */
      computeType: 'AmlCompute';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the amlCompute.
       * @default Azure's own value
       */
      properties?: {
        enableNodePublicIp?: boolean;
        isolatedNetwork?: boolean;
        osType?: 'Linux' | 'Windows';
        propertyBag?: Record<string, unknown>;
        remoteLoginPortPublicAccess?: 'Disabled' | 'Enabled' | 'NotSpecified';
        scaleSettings?: {
          maxNodeCount: number;
          minNodeCount?: number;
          nodeIdleTimeBeforeScaleDown?: string;
        };
        subnet?: {
          /** By construct or ARM id: VirtualNetworksSubnet. */
          reference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        };
        userAccountCredentials?: {
          adminUserName: string;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          adminUserPassword?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          adminUserSshPublicKey?: SecretKeyReference;
        };
        virtualMachineImage?: {
          /** By construct or ARM id: any resource. */
          reference: ArmReference;
        };
        vmPriority?: 'Dedicated' | 'LowPriority';
        vmSize?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `ComputeInstance`.
     * @default Azure's own value
     */
    computeInstance?: {
      computeLocation?: string;
      /** Always `ComputeInstance`. */
      computeType: 'ComputeInstance';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the computeInstance.
       * @default Azure's own value
       */
      properties?: {
        applicationSharingPolicy?: 'Personal' | 'Shared';
        /**
         * Always `personal`.
         * @default Azure's own value
         */
        computeInstanceAuthorizationType?: 'personal';
        /**
         * Services that run as containers on the compute instance.
         * @default Azure's own value
         */
        customServices?: ({
          /**
           * Settings of Docker for the container.
           * @default Azure's own value
           */
          docker?: {
            /**
             * Whether the container is privileged.
             * @default Azure's own value
             */
            privileged?: boolean;
          };
          /**
           * Ports that the container publishes.
           * @default Azure's own value
           */
          endpoints?: ({
            /**
             * Address of the host on which the port is published.
             * @default Azure's own value
             */
            hostIp?: string;
            /**
             * Name of the endpoint.
             * @default Azure's own value
             */
            name?: string;
            /**
             * Protocol of the port.
             * @default Azure's own value
             */
            protocol?: 'http' | 'tcp' | 'udp';
            /**
             * Port of the host.
             * @default Azure's own value
             */
            published?: number;
            /**
             * Port of the container.
             * @default Azure's own value
             */
            target?: number;
          })[];
          /**
           * Environment of the container, by the name of the variable.
           * @default Azure's own value
           */
          environmentVariables?: Record<string, {
            /**
             * Always `local`.
             * @default Azure's own value
             */
            type?: 'local';
            /**
             * Value of the variable.
             * @default Azure's own value
             */
            value?: string;
          }>;
          /**
           * The image of the container.
           * @default Azure's own value
           */
          image?: {
            /**
             * Name of the image, or of the environment of Azure ML.
             * @default Azure's own value
             */
            reference?: string;
            /**
             * Whether the reference is an image, or an environment of Azure ML.
             * @default Azure's own value
             */
            type?: 'azureml' | 'docker';
          };
          /**
           * Name of the service.
           * @default Azure's own value
           */
          name?: string;
          /**
           * Volumes of the container.
           * @default Azure's own value
           */
          volumes?: ({
            /**
             * Options of a volume of the type bind.
             * @default Azure's own value
             */
            bind?: {
              /**
               * Whether the path is created where the host lacks it.
               * @default Azure's own value
               */
              createHostPath?: boolean;
              /**
               * How mounts below the path spread between host and container, such as rprivate.
               * @default Azure's own value
               */
              propagation?: string;
              /**
               * Label of SELinux for the path: z where containers share it, Z for this container alone.
               * @default Azure's own value
               */
              selinux?: string;
            };
            /**
             * How strictly host and container see the same content.
             * @default Azure's own value
             */
            consistency?: string;
            /**
             * Whether the container can only read the volume.
             * @default Azure's own value
             */
            readOnly?: boolean;
            /**
             * Path of the host, or name of the volume.
             * @default Azure's own value
             */
            source?: string;
            /**
             * Path in the container.
             * @default Azure's own value
             */
            target?: string;
            /**
             * Options of a volume of the type tmpfs.
             * @default Azure's own value
             */
            tmpfs?: {
              /**
               * Size of the tmpfs.
               * @default Azure's own value
               */
              size?: number;
            };
            /**
             * Type of the volume.
             * @default Azure's own value
             */
            type?: 'bind' | 'npipe' | 'tmpfs' | 'volume';
            /**
             * Options of a volume of the type volume.
             * @default Azure's own value
             */
            volume?: {
              /**
               * Whether the volume starts empty, without the image's files at its path.
               * @default Azure's own value
               */
              nocopy?: boolean;
            };
          })[];
        })[];
        enableNodePublicIp?: boolean;
        personalComputeInstanceSettings?: {
          assignedUser?: {
            objectId?: string;
            /**
             * A value of a ConfigMap of this namespace, in place of `objectId`.
             * @default Azure's own value
             */
            objectIdFromConfig?: ConfigMapKeyReference;
            tenantId?: string;
            /**
             * A value of a ConfigMap of this namespace, in place of `tenantId`.
             * @default Azure's own value
             */
            tenantIdFromConfig?: ConfigMapKeyReference;
          };
        };
        schedules?: {
          computeStartStop?: ({
            action?: 'Start' | 'Stop';
            cron?: {
              expression?: string;
              startTime?: string;
              timeZone?: string;
            };
            recurrence?: {
              frequency?: 'Day' | 'Hour' | 'Minute' | 'Month' | 'Week';
              interval?: number;
              schedule?: {
                hours: number[];
                minutes: number[];
                monthDays?: number[];
                weekDays?: ('Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday')[];
              };
              startTime?: string;
              timeZone?: string;
            };
            schedule?: {
              provisioningStatus?: 'Completed' | 'Failed' | 'Provisioning';
              /**
               * By construct or ARM id: any resource.
               * @default Azure's own value
               */
              reference?: ArmReference;
              status?: 'Disabled' | 'Enabled';
            };
            status?: 'Disabled' | 'Enabled';
            triggerType?: 'Cron' | 'Recurrence';
          })[];
        };
        setupScripts?: {
          scripts?: {
            creationScript?: {
              scriptArguments?: string;
              scriptData?: string;
              scriptSource?: string;
              timeout?: string;
            };
            startupScript?: {
              scriptArguments?: string;
              scriptData?: string;
              scriptSource?: string;
              timeout?: string;
            };
          };
        };
        sshSettings?: {
          adminPublicKey?: string;
          sshPublicAccess?: 'Disabled' | 'Enabled';
        };
        subnet?: {
          /** By construct or ARM id: VirtualNetworksSubnet. */
          reference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        };
        vmSize?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `DataFactory`.
     * @default Azure's own value
     */
    dataFactory?: {
      computeLocation?: string;
      /** Always `DataFactory`. */
      computeType: 'DataFactory';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `DataLakeAnalytics`.
     * @default Azure's own value
     */
    dataLakeAnalytics?: {
      computeLocation?: string;
      /** Always `DataLakeAnalytics`. */
      computeType: 'DataLakeAnalytics';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the dataLakeAnalytics.
       * @default Azure's own value
       */
      properties?: {
        dataLakeStoreAccountName?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `Databricks`.
     * @default Azure's own value
     */
    databricks?: {
      computeLocation?: string;
      /** Always `Databricks`. */
      computeType: 'Databricks';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the databricks.
       * @default Azure's own value
       */
      properties?: {
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        databricksAccessToken?: SecretKeyReference;
        workspaceUrl?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `HDInsight`.
     * @default Azure's own value
     */
    hdInsight?: {
      computeLocation?: string;
      /** Always `HDInsight`. */
      computeType: 'HDInsight';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the hdInsight.
       * @default Azure's own value
       */
      properties?: {
        address?: string;
        administratorAccount?: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          password?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          privateKeyData?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          publicKeyData?: SecretKeyReference;
          username?: string;
        };
        sshPort?: number;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `Kubernetes`.
     * @default Azure's own value
     */
    kubernetes?: {
      computeLocation?: string;
      /** Always `Kubernetes`. */
      computeType: 'Kubernetes';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the kubernetes.
       * @default Azure's own value
       */
      properties?: {
        defaultInstanceType?: string;
        extensionInstanceReleaseTrain?: string;
        extensionPrincipalId?: string;
        /**
         * A value of a ConfigMap of this namespace, in place of `extensionPrincipalId`.
         * @default Azure's own value
         */
        extensionPrincipalIdFromConfig?: ConfigMapKeyReference;
        instanceTypes?: Record<string, {
          nodeSelector?: Record<string, string>;
          resources?: {
            limits?: Record<string, string>;
            requests?: Record<string, string>;
          };
        }>;
        namespace?: string;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        relayConnectionString?: SecretKeyReference;
        /**
         * A value of a Secret of this namespace: an export of another resource, or name and key.
         * @default Azure's own value
         */
        serviceBusConnectionString?: SecretKeyReference;
        vcName?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `SynapseSpark`.
     * @default Azure's own value
     */
    synapseSpark?: {
      computeLocation?: string;
      /** Always `SynapseSpark`. */
      computeType: 'SynapseSpark';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the synapseSpark.
       * @default Azure's own value
       */
      properties?: {
        autoPauseProperties?: {
          /**
           * How long the pool is idle before it pauses, in minutes.
           * @default Azure's own value
           */
          delayInMinutes?: number;
          /**
           * Whether the pool pauses when it is idle.
           * @default Azure's own value
           */
          enabled?: boolean;
        };
        autoScaleProperties?: {
          /**
           * Whether the number of nodes follows the load.
           * @default Azure's own value
           */
          enabled?: boolean;
          /**
           * The most nodes of the pool.
           * @default Azure's own value
           */
          maxNodeCount?: number;
          /**
           * The fewest nodes of the pool.
           * @default Azure's own value
           */
          minNodeCount?: number;
        };
        nodeCount?: number;
        nodeSize?: string;
        nodeSizeFamily?: string;
        poolName?: string;
        resourceGroup?: string;
        sparkVersion?: string;
        subscriptionId?: string;
        workspaceName?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /**
     * The form whose `computeType` is `VirtualMachine`.
     * @default Azure's own value
     */
    virtualMachine?: {
      computeLocation?: string;
      /** Always `VirtualMachine`. */
      computeType: 'VirtualMachine';
      description?: string;
      disableLocalAuth?: boolean;
      /**
       * Properties of the virtualMachine.
       * @default Azure's own value
       */
      properties?: {
        address?: string;
        administratorAccount?: {
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          password?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          privateKeyData?: SecretKeyReference;
          /**
           * A value of a Secret of this namespace: an export of another resource, or name and key.
           * @default Azure's own value
           */
          publicKeyData?: SecretKeyReference;
          username?: string;
        };
        isNotebookInstanceCompute?: boolean;
        notebookServerPort?: number;
        sshPort?: number;
        virtualMachineSize?: string;
      };
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  systemData?: {
    createdAt?: string;
    createdBy?: string;
    createdByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
    lastModifiedAt?: string;
    lastModifiedBy?: string;
    lastModifiedByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The Workspace that it is in, by construct or ARM id. */
  owner: KnownOwner<'machinelearningservices.azure.com/Workspace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface WorkspacesCompute {
  spec: WorkspacesComputeSpec;
  status?: ArmStatus;
}

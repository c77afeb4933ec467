import { type ProviderAccess } from '../../runtime-config/runtime-configuration';
import { type AiProvider } from './ai-provider';

/** A provider and a model of it. */
export interface AiTarget {
  readonly provider: AiProvider;
  readonly model: string;
  /** Key and address for the request; absent: those configured under its name when the call begins. */
  readonly access?: ProviderAccess;
}

/**
 * Says which provider answers. Inject it and ask it for each call: the configuration changes while the
 * service runs.
 */
export abstract class AiStrategy {
  /** The provider and the model that a call made now goes to. */
  abstract current(): Promise<AiTarget>;

  /**
   * A provider by its name, and the model it would use; undefined when there is none of that name.
   */
  abstract named(name: string): AiTarget | undefined;

  /** The provider that makes embeddings with this model; undefined in mock mode, and where none can. */
  abstract embedding(model: string): Promise<AiTarget | undefined>;
}

import { Injectable } from '@nestjs/common';

type Listener = () => void | Promise<void>;

/**
 * Announces changes of the configuration. Encapsulated in one class, so that instances could share announcements
 * later.
 */
@Injectable()
export class ConfigurationChanges {
  private readonly listeners = new Set<Listener>();

  /** @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when all listeners have applied the change. */
  async announce(): Promise<void> {
    await Promise.all([...this.listeners].map(async (listener) => listener()));
  }
}

import type { Role } from '../common/current-user';

/** Data of each event in addition to the id of its record. Handlers read the record itself by its id. */
export interface DomainEvents {
  'formula.created': { name: string; projectId: string | null; versionNumber: number };
  /** A new version with this number. */
  'formula.revised': { versionNumber: number };
  /** The reason for a version was added or changed later. The formula itself is unchanged. */
  'formula.version-described': { versionNumber: number };
  /** Fields outside the composition. `changed` contains `name` if the formula was renamed. */
  'formula.updated': { changed: readonly string[] };
  'formula.deleted': Record<string, never>;
  /** A deleted formula was restored with all versions; `versionNumber` is the latest. */
  'formula.restored': { name: string; projectId: string | null; versionNumber: number };
  'project.created': { name: string };
  'project.updated': { changed: readonly string[] };
  /** Its formulas stay, without a project and without an event of their own. */
  'project.deleted': Record<string, never>;
  'ingredient.created': { inciName: string };
  'ingredient.updated': { changed: readonly string[] };
  /** All formula lines now use `into`, and the ingredient is deleted: `ingredient.deleted` follows. */
  'ingredient.merged': { into: string };
  'ingredient.deleted': Record<string, never>;
  'color.created': { name: string };
  'color.updated': { changed: readonly string[] };
  'color.deleted': Record<string, never>;
  'user.created': { username: string; role: Role };
  'user.updated': { username: string; change: 'role' | 'password' | 'signed-out' | 'disabled' | 'enabled' };
}

export type DomainEventType = keyof DomainEvents;

interface EventOf<Type extends DomainEventType> {
  /** UUID of the event. It is the same at every delivery. */
  readonly id: string;
  readonly type: Type;
  /** Id of the formula, project, ingredient, colour or user. */
  readonly recordId: string;
  /** Id of the user who caused the event; null for commands. */
  readonly userId: string | null;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  readonly data: DomainEvents[Type];
}

/** A change of a record. `event.type` determines the type of `event.data`. */
export type DomainEvent<Type extends DomainEventType = DomainEventType> = {
  [Each in Type]: EventOf<Each>;
}[Type];

export const DOMAIN_EVENT_TYPES: readonly DomainEventType[] = [
  'formula.created',
  'formula.revised',
  'formula.version-described',
  'formula.updated',
  'formula.deleted',
  'formula.restored',
  'project.created',
  'project.updated',
  'project.deleted',
  'ingredient.created',
  'ingredient.updated',
  'ingredient.merged',
  'ingredient.deleted',
  'color.created',
  'color.updated',
  'color.deleted',
  'user.created',
  'user.updated',
];

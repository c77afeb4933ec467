import type { Role } from '../common/current-user';

/** What each event tells besides whose record it is. What a record holds is read by its id. */
export interface DomainEvents {
  'formula.created': { name: string; projectId: string | null; versionNumber: number };
  /** A new version, by its number. */
  'formula.revised': { versionNumber: number };
  /** Why a version was made was said or changed afterwards. The formula itself stays as it is. */
  'formula.version-described': { versionNumber: number };
  /** Fields beside the composition; renamed where `changed` holds `name`. */
  'formula.updated': { changed: readonly string[] };
  'formula.deleted': Record<string, never>;
  /** A deleted one is there again, with all versions; `versionNumber` is the latest. */
  'formula.restored': { name: string; projectId: string | null; versionNumber: number };
  'project.created': { name: string };
  'project.updated': { changed: readonly string[] };
  /** Its formulas stay, without a project and without an event of their own. */
  'project.deleted': Record<string, never>;
  'ingredient.created': { inciName: string };
  'ingredient.updated': { changed: readonly string[] };
  /** All its lines are of `into` now, and it is deleted: `ingredient.deleted` follows. */
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
  /** A UUID of this event: the same at every delivery. */
  readonly id: string;
  readonly type: Type;
  /** The id of the formula, project, ingredient, colour or user. */
  readonly recordId: string;
  /** Who did it; null for commands. */
  readonly userId: string | null;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  readonly data: DomainEvents[Type];
}

/** Something that has happened to a record. `event.type` tells which `event.data` it has. */
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

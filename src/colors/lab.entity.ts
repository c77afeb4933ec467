import { Column } from 'typeorm';
import { LAB_LIMITS } from './lab.fields';
import { type Lab } from './difference';

/**
 * Returns a class with the columns of a colour, to be embedded in an entity with `prefix: false`.
 * @param prefix prefix of the column names
 */
function labColumns(prefix: string, nullable: boolean): new () => Lab {
  class LabColumns implements Lab {
    @Column('double precision', { name: `${prefix}l`, nullable })
    L!: number;

    @Column('double precision', { name: `${prefix}a`, nullable })
    a!: number;

    @Column('double precision', { name: `${prefix}b`, nullable })
    b!: number;
  }
  return LabColumns;
}

/** Columns `l`, `a`, `b`, which the index of cells uses. */
export const IndexedLab = labColumns('', false);
/** Columns `actual_l`, `actual_a`, `actual_b`. Either all or none are null. */
export const MeasuredLab = labColumns('actual_', true);

/** Returns the check that the columns contain a colour within the limits. */
export const withinLimits = (prefix = ''): string =>
  (['L', 'a', 'b'] as const)
    .map(
      (axis) => `${prefix}${axis.toLowerCase()} BETWEEN ${LAB_LIMITS[axis].min} AND ${LAB_LIMITS[axis].max}`,
    )
    .join(' AND ');

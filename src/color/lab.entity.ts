import { Column } from 'typeorm';
import { LAB_LIMITS } from './lab.fields';
import { type Lab } from './matching';

/**
 * The columns of a colour in a table, to be embedded in its entity with `prefix: false`.
 * @param prefix of the columns' names
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

/** Columns `l`, `a`, `b`: what the index of cells is on. */
export const IndexedLab = labColumns('', false);
/** Columns `actual_l`, `actual_a`, `actual_b`: all of them or none. */
export const MeasuredLab = labColumns('actual_', true);

/** The check that the columns hold a colour within the limits. */
export const withinLimits = (prefix = ''): string =>
  (['L', 'a', 'b'] as const)
    .map(
      (axis) => `${prefix}${axis.toLowerCase()} BETWEEN ${LAB_LIMITS[axis].min} AND ${LAB_LIMITS[axis].max}`,
    )
    .join(' AND ');

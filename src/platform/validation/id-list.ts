import { InvalidInputError } from '../common/errors/service-error';
import { text } from '../texts/text';
import { TextField } from './fields';
import { isUuid } from './uuid';

/** Most ids in a query. */
export const MAX_IDS = 200;

/** Characters of an id and of the comma behind it. */
const ID_LENGTH = 37;

export const uuidFault = (id: string) => (isUuid(id) ? undefined : text('field.not-a-uuid'));

export const idsOf = (list: string): string[] => list.split(',').map((id) => id.trim());

export function idListFault(list: string, max = MAX_IDS) {
  const ids = idsOf(list);
  if (ids.length > max) return text('field.too-many-items', { max });
  const wrong = ids.findIndex((id) => !isUuid(id));
  return wrong < 0 ? undefined : text('field.item-not-a-uuid', { position: wrong + 1 });
}

/** Faults of an id list, as the OpenAPI document shows them. */
export const ID_LIST_FAULTS = [
  text('field.too-many-items', { max: MAX_IDS }),
  text('field.item-not-a-uuid', { position: 2 }),
].map((message) => InvalidInputError.of([{ field: 'ids', message }]).text);

interface IdListOptions {
  presence?: 'omittable';
  description: string;
  example: string;
}

/** Ids in a query, separated by commas. An empty list is a fault: it must not stand for all records. */
export const IdListField = ({ description, ...options }: IdListOptions): PropertyDecorator =>
  TextField({
    ...options,
    max: 2 * MAX_IDS * ID_LENGTH,
    notBlank: true,
    rule: (list) => idListFault(list),
    description: `${description}: at most ${MAX_IDS} ids, separated by commas; those that do not exist are left out`,
  });

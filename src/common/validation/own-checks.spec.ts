import { PartialType } from '@nestjs/swagger';
import { Allow, IsString, ValidateBy, ValidateNested } from 'class-validator';
import { ListField, NumberField, ObjectField, TextField } from './fields';
import { FreeJsonField } from './free-json';
import { InputPipe } from './input.pipe';
import { hasOwnChecksOnly } from './own-checks';
import { RequestClasses } from './request-classes';

/** Answers later, as a check that asks a database does. */
const IsKnownLater = () =>
  ValidateBy({
    name: 'isKnownLater',
    async: true,
    validator: {
      validate: async (value: unknown) => Promise.resolve(value === 'known'),
      defaultMessage: () => 'is not known',
    },
  });

class Line {
  @TextField({ max: 3 })
  name!: string;
}

class Own {
  @NumberField({ presence: 'optional' })
  number?: number;

  @FreeJsonField({ description: 'Any JSON' })
  free?: unknown;

  @ObjectField({ type: () => Line, presence: 'optional' })
  line?: Line;

  @ListField({ type: () => Own, maxItems: 2, presence: 'optional' })
  parts?: Own[];
}

class Later {
  @IsKnownLater()
  name!: string;
}

class OwnOverOthers {
  @ListField({ type: () => Later, maxItems: 2, presence: 'optional' })
  parts?: Later[];
}

class OwnBesideOthers extends Own {
  @IsKnownLater()
  name!: string;
}

/** Each holds the other, and one of them what others check. */
class Whole {
  @ObjectField({ type: () => Part, presence: 'optional' })
  part?: object;

  @IsKnownLater()
  name!: string;
}

class Part {
  @ListField({ type: () => Whole, maxItems: 2, presence: 'optional' })
  wholes?: Whole[];
}

class WithoutConstraints {
  @IsString()
  name!: string;
}

class NestedByOthers {
  @ValidateNested()
  line!: Line;
}

class Allowing {
  @Allow()
  anything?: unknown;
}

describe('a class with own checks only', () => {
  it.each([Line, Own, PartialType(Own)])('%p is one', (type) => {
    expect(hasOwnChecksOnly(type)).toBe(true);
    // As it was remembered.
    expect(hasOwnChecksOnly(type)).toBe(true);
  });

  it.each([Later, OwnOverOthers, OwnBesideOthers, WithoutConstraints, NestedByOthers, Allowing])(
    '%p is none',
    (type) => {
      expect(hasOwnChecksOnly(type)).toBe(false);
      expect(hasOwnChecksOnly(type)).toBe(false);
    },
  );
});

describe('input', () => {
  const read = async (value: object, metatype: new () => object) =>
    new InputPipe(new RequestClasses()).transform(value, { type: 'body', metatype });

  it.each([
    [Later, { name: 'new' }],
    [OwnBesideOthers, { name: 'new', number: 1 }],
    [OwnOverOthers, { parts: [{ name: 'new' }] }],
  ])('waits for what others check: %p', async (type, wrong) => {
    await expect(read(wrong, type)).rejects.toThrow('is not known');
    const right = JSON.parse(JSON.stringify(wrong).replace('new', 'known')) as object;
    expect(await read(right, type)).toEqual(right);
  });

  it('waits for what others check in classes that hold each other, whichever came first', async () => {
    const part = { wholes: [{ name: 'new' }] };
    await expect(read({ name: 'known', part }, Whole)).rejects.toThrow('is not known');
    await expect(read(part, Part)).rejects.toThrow('is not known');
  });

  it('waits for what others check in the class that stands for the one of the route', async () => {
    const classes = new RequestClasses();
    class More extends Line {
      @IsKnownLater()
      more!: string;
    }
    classes.replace(Line, More);
    const body = new InputPipe(classes).transform(
      { name: 'a', more: 'new' },
      { type: 'body', metatype: Line },
    );
    await expect(body).rejects.toThrow('is not known');
  });

  it('of own checks only is ready at once, and so is what is wrong with it', () => {
    const pipe = new InputPipe(new RequestClasses());
    const asked = { type: 'body', metatype: Line } as const;
    expect(pipe.transform({ name: 'a' }, asked)).toBeInstanceOf(Line);
    expect(() => pipe.transform({ name: 'long' }, asked)).toThrow('name: 不能超过3个字符');
  });
});

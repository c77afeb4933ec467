import { TextField } from './fields';
import { InputPipe } from './input.pipe';
import { RequestClasses } from './request-classes';

class NoteDto {
  @TextField({ max: 3 })
  text!: string;
}

class NoteOfMoreDto extends NoteDto {
  @TextField({ max: 3 })
  more!: string;
}

describe('A class that has more fields in one application', () => {
  it('is what its requests are checked against, in this application only', async () => {
    const classes = new RequestClasses();
    const read = async (by: RequestClasses, sent: object) =>
      new InputPipe(by).transform(sent, { type: 'body', metatype: NoteDto });
    classes.replace(NoteDto, NoteOfMoreDto);
    expect(await read(classes, { text: 'a', more: 'b', else: 'c' })).toEqual({ text: 'a', more: 'b' });
    await expect(read(classes, { text: 'a', more: 'long' })).rejects.toThrow('more: 不能超过3个字符');
    await expect(read(classes, { text: 'long', more: 'a' })).rejects.toThrow('text: 不能超过3个字符');
    expect(await read(new RequestClasses(), { text: 'a', more: 'long' })).toEqual({ text: 'a' });
  });
});

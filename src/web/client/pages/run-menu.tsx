// Name, tags and deletion of one run, in one dialog.
import { type FormEvent, type ReactNode, useState } from 'react';
import type { RunRow } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Outside } from '../parts/text.tsx';
import { say } from '../parts/toast.tsx';

interface RunMenuProps {
  readonly run: RunRow;
  readonly onChanged: () => void;
  readonly onRemoved?: (() => void) | undefined;
}

export function RunMenu(props: RunMenuProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="plain"
        aria-label={`Edit ${props.run.name}`}
        title="Name, tags, delete"
        onClick={() => setOpen(true)}
      >
        •••
      </button>
      {isOpen ? <EditRun {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function EditRun({ run, onChanged, onRemoved, onClose }: RunMenuProps & { readonly onClose: () => void }): ReactNode {
  const data = useData();
  const [name, setName] = useState(run.name);
  const [tags, setTags] = useState(run.tags.join(', '));
  const [error, setError] = useState<string | null>(null);
  const attempt = (work: () => Promise<void>) => async (): Promise<void> => {
    try {
      await work();
      onClose();
    } catch (thrown) {
      setError((thrown as Error).message);
    }
  };
  const save = attempt(async () => {
    await data.setNotes(run.id, { ...(name === run.name ? {} : { name }), tags: tags.split(',') });
    onChanged();
  });
  const remove = attempt(async () => {
    await data.remove(run.id);
    onChanged();
    onRemoved?.();
    say('Run moved to .trash in the runs folder.', {
      label: 'Undo',
      run: () => void data.restore(run.id).then(onChanged, (thrown: Error) => say(thrown.message)),
    });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  return (
    <Dialog title="Edit run" onClose={onClose}>
      <form onSubmit={onSubmit} className="stack">
        <p className="muted small mono">{run.id}</p>
        <label className="field">
          <span className="field-label">Name</span>
          <input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
        </label>
        <label className="field">
          <span className="field-label">Tags, with commas</span>
          <input value={tags} onChange={(event) => setTags(event.target.value)} placeholder="baseline, q4" />
        </label>
        {error === null ? null : (
          <p className="problem" role="alert">
            <Outside text={error} />
          </p>
        )}
        <div className="buttons">
          <button type="submit" className="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <span className="grow" />
          <button type="button" className="danger" disabled={run.state === 'running'} onClick={() => void remove()}>
            Delete run
          </button>
        </div>
      </form>
    </Dialog>
  );
}

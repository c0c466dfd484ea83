import { useFaultAt } from '../editor/faults.js';
import { NumberField } from '../parts/fields/number-field.js';
import { PartList } from '../parts/part-list.js';
import type { ShareDraft } from './rule-draft.js';
import type { ServesInput } from './serves-input.js';

interface SplitEditorProps {
  split: readonly ShareDraft[];
  /** What is wrong with all of it. */
  fault: string | undefined;
  serves: ServesInput;
  disabled: boolean;
  onChange: (split: ShareDraft[]) => void;
}

/** Splits people across several values by weight. Changing weights moves as few people as possible. */
export function SplitEditor({ split, fault, serves, disabled, onChange }: SplitEditorProps) {
  const faultAt = useFaultAt();
  const total = split.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <div className="split">
      <PartList
        name="share"
        parts={split}
        disabled={disabled}
        onChange={onChange}
        fresh={() => ({ serves: split[0]?.serves ?? '', weight: 0 })}
        fewest={1}
        align="flex-end"
      >
        {(share, change, at) => (
          <>
            {serves(share.serves, (value) => change({ serves: value }), `Share ${at + 1}`, faultAt(share, 'serves'))}
            <NumberField
              aria-label={`Weight of share ${at + 1}`}
              min={0}
              allowDecimal
              value={share.weight}
              onChange={(weight) => change({ weight })}
              error={faultAt(share, 'weight') ?? (at === 0 ? fault : undefined)}
              suffix={total > 0 ? `  (${((share.weight / total) * 100).toFixed(1)}%)` : ''}
              disabled={disabled}
              w={130}
            />
          </>
        )}
      </PartList>
    </div>
  );
}

import type { TemplateResult } from 'lit-html';
import type { ChatItem } from '../../src/protocol.ts';
import { assistantTemplate } from './assistant.ts';
import { compactionTemplate } from './compaction.ts';
import type { ItemContext } from './context.ts';
import { noticeTemplate } from './notice.ts';
import { thinkingTemplate } from './thinking.ts';
import { toolTemplate } from './tool.ts';
import { userTemplate } from './user.ts';

export function itemTemplate(item: ChatItem, context: ItemContext): TemplateResult {
  switch (item.kind) {
    case 'user':
      return userTemplate(item);
    case 'assistant':
      return assistantTemplate(item);
    case 'thinking':
      return thinkingTemplate(item);
    case 'tool':
      return toolTemplate(item, context);
    case 'notice':
      return noticeTemplate(item, context);
    case 'compaction':
      return compactionTemplate(item);
  }
}

import { ChatApp } from './chatApp.ts';
import { handleMarkdownClicks } from './clicks.ts';
import { onHostMessage, post } from './post.ts';
import { registerToolkit } from './toolkit.ts';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element with the id "app".');

registerToolkit();
const app = new ChatApp(root);
handleMarkdownClicks(root, post);
onHostMessage((message) => app.receive(message));
post({ type: 'ready' });

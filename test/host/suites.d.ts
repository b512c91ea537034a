/** All files of test/host/suites, put together by the bundler. */
declare module 'steiner:host-suites' {}

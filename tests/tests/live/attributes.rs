pub(super) fn write(_: &mut npcodec_tests::manifest::Manifest<'_>) {}

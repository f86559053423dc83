//! What the compiler says where `Structured` cannot be derived.

#[test]
fn faults_are_all_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("ui/structured/*.rs");
}
